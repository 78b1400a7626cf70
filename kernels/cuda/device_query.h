// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace pal::cuda {

// One GPU as the driver reports it, or the driver's reason for reporting none.
struct DeviceQuery {
    bool found = false;
    std::string name;
    int major = 0;  // compute capability
    int minor = 0;
    int multiprocessors = 0;
    uint64_t memoryBytes = 0;
    std::string whyNot;  // when !found
};

// Asks for the device with this ordinal. Never throws; works without a driver.
DeviceQuery queryDevice(int ordinal);

}  // namespace pal::cuda
