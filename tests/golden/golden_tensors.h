// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/mapped_file.h"
#include "engine/model/safetensors.h"

// The files of the reference, as tests read them.

namespace pal {

struct Values {
    StorageType type = StorageType::kF32;
    TensorShape shape;
    std::vector<double> data;
};
using Tensors = std::map<std::string, Values>;

inline Tensors readTensors(const std::filesystem::path& path) {
    Tensors out;
    const auto file = MappedFile::open(path);
    EXPECT_TRUE(file.has_value()) << path;
    if (!file) return out;
    const auto header = parseSafetensors(file->bytes(), path.string());
    EXPECT_TRUE(header.has_value());
    for (const SafetensorsEntry& entry : header->entries) {
        Values values{entry.type, entry.shape, {}};
        const uint64_t start = header->dataStart + entry.begin;
        for (uint64_t i = 0; i < entry.shape.elements(); ++i) {
            values.data.push_back(entry.type == StorageType::kI32
                                      ? static_cast<double>(*readAt<int32_t>(file->bytes(), start + 4 * i))
                                      : static_cast<double>(*readAt<float>(file->bytes(), start + 4 * i)));
        }
        out[entry.name] = std::move(values);
    }
    return out;
}

// Largest error in any slice of the first dimension (a token, or a head of a state), as a share of that slice's largest value.
inline double worstError(const Values& want, const Values& got) {
    const size_t width = want.data.size() / static_cast<size_t>(want.shape[0]);
    double worst = 0;
    for (size_t row = 0; row < want.data.size(); row += width) {
        double largest = 1e-30;
        double error = 0;
        for (size_t i = row; i < row + width; ++i) {
            largest = std::max(largest, std::abs(want.data[i]));
            const double difference = std::abs(want.data[i] - got.data[i]);
            error = std::isfinite(got.data[i]) ? std::max(error, difference) : HUGE_VAL;
        }
        worst = std::max(worst, error / largest);
    }
    return worst;
}

}  // namespace pal
