// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/yardsticks.h"

#include <dlfcn.h>
#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace pal::bench {

namespace {

// The bitwise or of all bytes, in whole rows of 128.
__attribute__((target("avx2"))) uint64_t orOfBytes(const char* from, int64_t bytes) {
    const auto load = [from](int64_t at) __attribute__((target("avx2"))) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at));
    };
    __m256i a = _mm256_setzero_si256();
    __m256i b = a;
    __m256i c = a;
    __m256i d = a;
    for (int64_t i = 0; i + 128 <= bytes; i += 128) {
        a = _mm256_or_si256(a, load(i));
        b = _mm256_or_si256(b, load(i + 32));
        c = _mm256_or_si256(c, load(i + 64));
        d = _mm256_or_si256(d, load(i + 96));
    }
    const __m256i any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    return static_cast<uint64_t>(_mm256_extract_epi64(any, 0) | _mm256_extract_epi64(any, 3));
}

}  // namespace

uint64_t streamingRead(const char* data, int64_t bytes, cpu::ThreadPool& pool) {
    constexpr int64_t kBlock = int64_t{1} << 18;
    std::atomic<uint64_t> all{0};
    pool.parallelFor((bytes + kBlock - 1) / kBlock, [&](int64_t task, int) {
        all.fetch_or(orOfBytes(data + task * kBlock, std::min(kBlock, bytes - task * kBlock)),
                     std::memory_order_relaxed);
    });
    return all.load();
}

namespace {

// OpenBLAS 0.3.21 does not know processors newer than itself and takes its plainest kernels for them, a quarter as fast. It is told unless the user
// has said something.
void* loadOpenBlas() {
    constexpr int kKeep = 0;
    if (__builtin_cpu_supports("avx512f") != 0) setenv("OPENBLAS_CORETYPE", "SkylakeX", kKeep);
    return dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

OpenBlas::OpenBlas(int threads) : library_(loadOpenBlas()) {
    if (library_ == nullptr) return;
    sgemm_ = reinterpret_cast<Sgemm>(dlsym(library_, "cblas_sgemm"));
    if (auto* setThreads = reinterpret_cast<void (*)(int)>(dlsym(library_, "openblas_set_num_threads")))
        setThreads(threads);
}

OpenBlas::~OpenBlas() {
    if (library_ != nullptr) dlclose(library_);
}

void OpenBlas::multiply(const float* x, const float* weight, float* out, int64_t tokens, int64_t rows,
                        int64_t cols) const {
    constexpr int kRowMajor = 101;
    constexpr int kPlain = 111;
    constexpr int kTransposed = 112;
    const int m = static_cast<int>(tokens);
    const int n = static_cast<int>(rows);
    const int k = static_cast<int>(cols);
    sgemm_(kRowMajor, kPlain, kTransposed, m, n, k, 1.0F, x, k, weight, k, 0.0F, out, n);
}

}  // namespace pal::bench
