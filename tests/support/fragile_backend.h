// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <span>

#include "tests/support/forwarding_backend.h"

namespace pal {

// Works for a number of calls (KDA layers and fetches), then does nothing any more, as a lost device does: what is fetched is garbage, and
// finish() tells.
class FragileBackend final : public ForwardingBackend {
  public:
    FragileBackend(std::unique_ptr<Backend> inner, std::atomic<int64_t>& callsLeft)
        : ForwardingBackend(std::move(inner)), callsLeft_(callsLeft) {}

    Buffer allocate(size_t bytes) override {
        if (callsLeft_ > 0) return ForwardingBackend::allocate(bytes);
        return {};
    }
    void kdaMixer(const KdaMixerArgs& args) override {
        if (works()) ForwardingBackend::kdaMixer(args);
    }
    void download(std::span<std::byte> host, const void* device) override {
        if (works()) return ForwardingBackend::download(host, device);
        std::memset(host.data(), 0x3f, host.size());  // finite numbers, so that nobody notices by looking at them
    }
    void downloadAll(std::span<const Download> pieces) override {
        for (const Download& piece : pieces) download(piece.host, piece.device);
    }
    void fetch(std::span<std::byte> host, const void* device) override { download(host, device); }
    KernelStatus finish() override {
        KernelStatus status = ForwardingBackend::finish();
        if (callsLeft_ > 0) return status;
        return {KernelStatus::Code::kDeviceLost, "finish on a test device: unspecified launch failure"};
    }

  private:
    bool works() { return callsLeft_ > 0 && callsLeft_-- > 1; }

    std::atomic<int64_t>& callsLeft_;
};

}  // namespace pal
