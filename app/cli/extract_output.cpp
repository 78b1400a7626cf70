// SPDX-License-Identifier: Apache-2.0
#include "app/cli/extract_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/compose/media_requests.h"
#include "app/inspect/png_writer.h"
#include "engine/base/file_writer.h"

namespace pal::cli {
namespace {

namespace fs = std::filesystem;

Result<> writeFile(const fs::path& path, std::span<const std::byte> bytes) {
    PAL_ASSIGN(FileWriter writer, FileWriter::create(path));
    PAL_TRY(writer.write(bytes));
    return writer.commit();
}

// One tensor of a safetensors file.
struct PatchTensor {
    std::string name;
    const char* dtype = "F32";
    std::vector<int64_t> shape;
    std::span<const std::byte> bytes;
};

Result<> writeTensors(const std::vector<PatchTensor>& tensors, const fs::path& file) {
    nlohmann::ordered_json header;
    size_t offset = 0;
    for (const PatchTensor& tensor : tensors) {
        const size_t end = offset + tensor.bytes.size();
        header[tensor.name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // data starts at a multiple of 8
    std::array<std::byte, 8> size{};
    for (size_t i = 0; i < size.size(); ++i) size[i] = static_cast<std::byte>(text.size() >> (8 * i));
    PAL_ASSIGN(FileWriter writer, FileWriter::create(file));
    PAL_TRY(writer.write(size));
    PAL_TRY(writer.write(std::as_bytes(std::span(text))));
    for (const PatchTensor& tensor : tensors) PAL_TRY(writer.write(tensor.bytes));
    return writer.commit();
}

// A name from inside a document cannot lead out of the folder.
fs::path safeName(const EmbeddedPicture& picture, size_t index) {
    const std::string extension = fs::path(picture.name).extension().string();
    return fmt::format("page-{}-{}{}", picture.page, index, extension);
}

}  // namespace

Result<size_t> writePageImages(const AttachedFile& attachment, const ComposedMessage& message,
                               const ComposeOptions& options, const fs::path& folder) {
    const std::optional<Document>& document = message.attachments.front().document;
    if (!document) return fail(ErrorCode::kInvalidArgument, "{}: --images is for documents", attachment.name);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return fail(ErrorCode::kIo, "{}: {}", folder.string(), error.message());
    size_t count = 0;
    for (const DocumentPage& page : document->pages) {
        if (page.imageWidth == 0) continue;
        PAL_ASSIGN(const PageImage image, readPageImage(attachment.path, page.number, options.document));
        const auto png = inspect::encodePng(image.width, image.height, image.rgb);
        PAL_TRY(writeFile(folder / fmt::format("page-{}.png", page.number), std::as_bytes(std::span(png))));
        ++count;
    }
    const bool holds = std::any_of(document->pages.begin(), document->pages.end(),
                                   [](const DocumentPage& page) { return page.pictures > 0; });
    if (!holds) return count;
    PAL_ASSIGN(const std::vector<EmbeddedPicture> pictures,
               readPictures(attachment.path, documentRequest(attachment, options.document)));
    size_t onPage = 0;
    for (size_t i = 0; i < pictures.size(); ++i, ++count) {
        onPage = i > 0 && pictures[i].page == pictures[i - 1].page ? onPage + 1 : 1;
        PAL_TRY(writeFile(folder / safeName(pictures[i], onPage), std::as_bytes(std::span(pictures[i].file))));
    }
    return count;
}

Result<> writePatchFile(const ComposedMessage& message, const MediaConfig& config, const fs::path& file) {
    struct Numbers {
        std::vector<int64_t> grid, frames;
        std::vector<double> seconds;
    };
    std::vector<Numbers> numbers(message.media.size());
    std::vector<PatchTensor> tensors;
    for (size_t n = 0; n < message.media.size(); ++n) {
        const MediaInput& input = *message.media[n].input;
        numbers[n].grid = {input.frames, input.rows, input.columns};
        for (const VideoFrame& frame : message.media[n].frames) {
            numbers[n].frames.push_back(frame.index);
            numbers[n].seconds.push_back(frame.seconds);
        }
        const std::string prefix = fmt::format("vision.{}.", n);
        const int64_t patches = input.frames * input.rows * input.columns;
        tensors.push_back({prefix + "pixels",
                           "F32",
                           {patches, 3, config.patchSize, config.patchSize},
                           std::as_bytes(std::span(input.patches))});
        tensors.push_back({prefix + "grid", "I64", {3}, std::as_bytes(std::span(numbers[n].grid))});
        if (numbers[n].frames.empty()) continue;
        tensors.push_back({prefix + "frames", "I64", {input.frames}, std::as_bytes(std::span(numbers[n].frames))});
        tensors.push_back({prefix + "seconds", "F64", {input.frames}, std::as_bytes(std::span(numbers[n].seconds))});
    }
    return writeTensors(tensors, file);
}

}  // namespace pal::cli
