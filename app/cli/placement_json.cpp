// SPDX-License-Identifier: Apache-2.0
#include "app/cli/placement_json.h"

namespace pal::cli {

nlohmann::json placementJson(const GpuPlan& plan) {
    return {{"expert_layers", plan.inRam.size()},
            {"expert_layers_in_ram", plan.ramLayers},
            {"gpu",
             {{"weight_bytes", plan.weightBytes},
              {"expert_bytes", plan.expertBytes},
              {"place_bytes", plan.placeBytes},
              {"state_bytes", plan.stateBytes},
              {"latent_bytes", plan.latentBytes},
              {"workspace_bytes", plan.workspaceBytes},
              {"reserve_bytes", plan.reserveBytes},
              {"total_bytes", plan.gpuBytes()}}},
            {"ram_bytes", plan.ramBytes},
            {"per_token",
             {{"gpu_bytes", plan.gpuReadBytes},
              {"gpu_seconds", plan.gpuSeconds},
              {"link_bytes", plan.linkReadBytes},
              {"link_seconds", plan.linkSeconds},
              {"tokens_per_second_at_most", plan.tokensPerSecond()}}},
            {"per_prefill_step", {{"link_bytes", plan.chunkLinkBytes}, {"link_seconds", plan.chunkLinkSeconds}}}};
}

}  // namespace pal::cli
