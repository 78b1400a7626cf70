// SPDX-License-Identifier: Apache-2.0
#include "vision/av_input.h"

extern "C" {
#include <libavutil/avstring.h>
}

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/system_message.h"

namespace pal {
namespace {

constexpr int kBufferBytes = 64 << 10;

void silenceLog() {
    static const bool silent = [] {
        av_log_set_level(AV_LOG_QUIET);
        return true;
    }();
    static_cast<void>(silent);
}

// The bytes behind a source, as FFmpeg reads them.
struct ByteReader {
    int fd = -1;
    std::span<const std::byte> memory;
    int64_t size = 0, at = 0;
    std::stop_token stop;

    ~ByteReader() {
        if (fd >= 0) ::close(fd);
    }

    static int read(void* opaque, uint8_t* out, int count) {
        auto* self = static_cast<ByteReader*>(opaque);
        if (self->stop.stop_requested()) return AVERROR_EXIT;
        if (self->at >= self->size) return AVERROR_EOF;
        const int64_t n = std::min<int64_t>(count, self->size - self->at);
        if (self->fd < 0) {
            std::memcpy(out, self->memory.data() + self->at, static_cast<size_t>(n));
            self->at += n;
            return static_cast<int>(n);
        }
        ssize_t got = 0;
        do got = ::pread(self->fd, out, static_cast<size_t>(n), self->at);
        while (got < 0 && errno == EINTR);
        if (got < 0) return AVERROR(errno);
        self->at += got;
        return got == 0 ? AVERROR_EOF : static_cast<int>(got);
    }

    static int64_t seek(void* opaque, int64_t offset, int whence) {
        auto* self = static_cast<ByteReader*>(opaque);
        if (whence == AVSEEK_SIZE) return self->size;
        const int64_t base = whence == SEEK_CUR ? self->at : whence == SEEK_END ? self->size : 0;
        if (offset < -base) return AVERROR(EINVAL);
        return self->at = base + offset;
    }
};

int refuseOtherFiles(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
    return AVERROR(EPERM);
}

Result<> openBytes(const MediaSource& source, ByteReader& reader) {
    if (source.path.empty()) {
        reader.memory = source.memory;
        reader.size = static_cast<int64_t>(source.memory.size());
        return {};
    }
    reader.fd = ::open(source.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info {};
    if (reader.fd < 0 || fstat(reader.fd, &info) != 0) {
        const int error = errno;
        return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "{}: {}", source.name,
                    systemMessage(error));
    }
    if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kFormat, "{}: not a regular file", source.name);
    reader.size = info.st_size;
    return {};
}

}  // namespace

std::string avMessage(int error) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(error, text.data(), text.size());
    return text.data();
}

struct AvInput::Impl {
    ByteReader reader;
    AVIOContext* io = nullptr;
    AVFormatContext* context = nullptr;

    ~Impl() {
        avformat_close_input(&context);
        if (io) av_freep(&io->buffer);
        avio_context_free(&io);
    }
};

AvInput::AvInput(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
AvInput::AvInput(AvInput&&) noexcept = default;
AvInput& AvInput::operator=(AvInput&&) noexcept = default;
AvInput::~AvInput() = default;

AVFormatContext* AvInput::context() const {
    return impl_->context;
}
uint64_t AvInput::sizeBytes() const {
    return static_cast<uint64_t>(impl_->reader.size);
}
uint64_t AvInput::positionBytes() const {
    return static_cast<uint64_t>(std::clamp<int64_t>(avio_tell(impl_->io), 0, impl_->reader.size));
}
void AvInput::setStop(std::stop_token stop) {
    impl_->reader.stop = std::move(stop);
}

Result<AvInput> AvInput::open(const MediaSource& source, const char* formats, std::stop_token stop) {
    silenceLog();
    auto impl = std::make_unique<Impl>();
    PAL_TRY(openBytes(source, impl->reader));
    if (impl->reader.size == 0) return fail(ErrorCode::kFormat, "{}: the file is empty", source.name);
    impl->reader.stop = std::move(stop);
    auto* buffer = static_cast<unsigned char*>(av_malloc(kBufferBytes));
    impl->io =
        buffer ? avio_alloc_context(buffer, kBufferBytes, 0, &impl->reader, ByteReader::read, nullptr, ByteReader::seek)
               : nullptr;
    impl->context = avformat_alloc_context();
    if (!impl->io || !impl->context) {
        if (!impl->io) av_free(buffer);
        return fail(ErrorCode::kOutOfMemory, "{}: not enough memory to open it", source.name);
    }
    impl->context->pb = impl->io;
    impl->context->io_open = refuseOtherFiles;
    impl->context->flags |= AVFMT_FLAG_CUSTOM_IO;
    const AVInputFormat* format = nullptr;
    const int found = av_probe_input_buffer2(impl->io, &format, "", nullptr, 0, 0);
    if (impl->reader.stop.stop_requested()) return fail(ErrorCode::kCancelled, "{}: stopped", source.name);
    if (found < 0 || !av_match_name(format->name, formats)) {
        return fail(ErrorCode::kUnsupported, "{}: no text, document, picture or clip of a known kind (clips: {})",
                    source.name, formats);
    }
    const int status = avformat_open_input(&impl->context, nullptr, format, nullptr);
    if (impl->reader.stop.stop_requested()) return fail(ErrorCode::kCancelled, "{}: stopped", source.name);
    if (status < 0) return fail(ErrorCode::kFormat, "{}: damaged or cut short: {}", source.name, avMessage(status));
    return AvInput(std::move(impl));
}

Result<AvPointer<AVCodecContext>> openAvDecoder(const AVStream& stream, const std::string& name, int64_t maxPixels,
                                                int threads) {
    const AVCodecID id = stream.codecpar->codec_id;
    const AVCodec* codec = avcodec_find_decoder(id);
    if (!codec) return fail(ErrorCode::kUnsupported, "{}: no decoder for {}", name, avcodec_get_name(id));
    AvPointer<AVCodecContext> context(avcodec_alloc_context3(codec));
    if (!context || avcodec_parameters_to_context(context.get(), stream.codecpar) < 0) {
        return fail(ErrorCode::kOutOfMemory, "{}: not enough memory for a decoder", name);
    }
    context->pkt_timebase = stream.time_base;
    context->max_pixels = maxPixels;
    context->thread_count = threads;
    const int status = avcodec_open2(context.get(), codec, nullptr);
    if (status < 0) {
        return fail(ErrorCode::kFormat, "{}: the {} decoder does not start: {}", name, codec->name, avMessage(status));
    }
    return context;
}

}  // namespace pal
