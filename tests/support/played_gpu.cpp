// SPDX-License-Identifier: Apache-2.0
#include "tests/support/played_gpu.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "tests/support/fragile_backend.h"

namespace pal {
namespace test {

PlayedGpu& playedGpu() {
    static PlayedGpu gpu{[] {
        const char* calls = std::getenv("PAL_PLAYED_CALLS");
        return calls != nullptr ? std::stoll(calls) : INT64_C(1) << 40;
    }()};
    return gpu;
}

namespace {

class PlayedBackend final : public ForwardingBackend {
  public:
    PlayedBackend()
        : ForwardingBackend(
              std::make_unique<FragileBackend>(createCpuBackend({1, CpuIsa::kBest}).backend, playedGpu().callsLeft)) {}
    ~PlayedBackend() override {
        if (weights_ == 0) return;
        playedGpu().takenBytes -= weights_ * PlayedGpu::kWeightBytes;
        --playedGpu().inUse;
        std::fputs("played GPU: given back\n", stderr);
    }
    BackendInfo info() const override {
        BackendInfo out = ForwardingBackend::info();
        out.device = "played GPU";
        out.memoryBytes = PlayedGpu::kBytes;
        return out;
    }
    uint64_t freeBytes() override { return PlayedGpu::kBytes - playedGpu().takenBytes; }
    MemoryRates measureRates() override {
        ++playedGpu().timesMeasured;
        return {1e12, 1e10};
    }
    WeightView importWeight(const WeightView& host) override {
        if (weights_++ == 0) ++playedGpu().inUse;
        playedGpu().takenBytes += PlayedGpu::kWeightBytes;
        return ForwardingBackend::importWeight(host);
    }

  private:
    uint64_t weights_ = 0;
};

}  // namespace
}  // namespace test

BackendAttempt createCudaBackend(int /*device*/) {
    return {std::make_unique<test::PlayedBackend>(), {}};
}

}  // namespace pal
