// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "tests/support/forwarding_backend.h"

namespace pal {

// A backend that lets a test see and replace which experts the router chose. Two runs whose roundings differ choose differently where two experts are
// nearly tied, and from there on compute different things; with the choice of one forced on the other they can be compared.
class RoutedBackend final : public ForwardingBackend {
  public:
    // Called after each router op, in order of the layers, with its picks [T, k]; what it leaves in them is used, with weights from this run's logits.
    using Routing = std::function<void(const RouterArgs& args, std::vector<int32_t>& picks)>;

    using ForwardingBackend::ForwardingBackend;
    void onRouting(Routing routing) { routing_ = std::move(routing); }
    void router(const RouterArgs& args) override;

    // A tensor of the device in host memory.
    template <typename T>
    [[nodiscard]] std::vector<T> read(const ConstTensorView& view) {
        std::vector<T> out(static_cast<size_t>(view.elements()));
        download(std::as_writable_bytes(std::span(out)), view.data);
        return out;
    }

  private:
    Routing routing_;
};

// RouterArgs' scores of all experts, from one token's logits.
[[nodiscard]] std::vector<float> routerScores(const RouterArgs& args, std::span<const float> logits);

}  // namespace pal
