// SPDX-License-Identifier: Apache-2.0
#include "app/cli/figure_png.h"

#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>

namespace pal::cli {
namespace {

constexpr double kMostPixels = 1e8;

template <auto kFree>
struct Free {
    template <typename T>
    void operator()(T* thing) const {
        kFree(thing);
    }
};
using Handle = std::unique_ptr<RsvgHandle, Free<g_object_unref>>;
using Surface = std::unique_ptr<cairo_surface_t, Free<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Free<cairo_destroy>>;

Error takeError(GError* error, const char* doing) {
    const std::unique_ptr<GError, Free<g_error_free>> owned(error);
    return {ErrorCode::kInternal, fmt::format("{}: {}", doing, error == nullptr ? "unknown" : error->message)};
}

cairo_status_t append(void* out, const unsigned char* bytes, unsigned int count) {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result<std::string> pngOf(std::string_view svg, int scale) {
    GError* error = nullptr;
    const Handle handle(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
    if (!handle) return fail(takeError(error, "reading the drawing"));
    double width = 0, height = 0;
    rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height);
    const double pixels = width * height * scale * scale;
    if (pixels > kMostPixels)
        return fail(ErrorCode::kInvalidArgument,
                    "{:.0f} x {:.0f} at {} pixels each is {:.0f} pixels, at most {:.0f} can be written", width, height,
                    scale, pixels, kMostPixels);
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(width * scale)),
                                                     static_cast<int>(std::ceil(height * scale))));
    const Context context(cairo_create(surface.get()));
    const RsvgRectangle all{0, 0, width * scale, height * scale};
    if (rsvg_handle_render_document(handle.get(), context.get(), &all, &error) == FALSE)
        return fail(takeError(error, "drawing"));
    std::string out;
    const cairo_status_t written = cairo_surface_write_to_png_stream(surface.get(), &append, &out);
    if (written != CAIRO_STATUS_SUCCESS)
        return fail(ErrorCode::kInternal, "making the picture: {}", cairo_status_to_string(written));
    return out;
}

}  // namespace pal::cli
