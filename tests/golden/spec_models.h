// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/oracle/mat.h"

namespace pal::golden {

// What a float64 implementation computed at one position.
struct ExpectedRow {
    int64_t position;
    int64_t argmax;
    std::array<double, 4> first;  // logits 0..3
    double sum;
    double norm;
};

// A model of the family small enough for plain loops: T1 (K3, three AttnRes blocks, padded A_log, MXFP4), T1KL (Kimi Linear), T2 (K3 with the
// released head sizes and block size).
struct SpecModel {
    std::string name;
    nlohmann::json config;
    int64_t tokens;
    std::vector<ExpectedRow> expected;

    // (37 i + 11) mod vocabulary
    [[nodiscard]] std::vector<int32_t> ids() const;
};

// "T1", "T1KL" or "T2".
const SpecModel& specModel(const std::string& name);

// The input file of the dump door.
void writeIds(const std::filesystem::path& path, const std::vector<int32_t>& ids);
// An f32 matrix of a safetensors file; empty when it is not there.
oracle::Mat<double> readMatrix(const std::filesystem::path& path, const std::string& name);

}  // namespace pal::golden
