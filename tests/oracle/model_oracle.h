// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/oracle/mat.h"

// The whole text model in double precision, straight from config.json and tensors by name. It shares no code with the engine, so that a
// mistake in the engine's plan or binding shows. A wrong rule can be switched on to prove that the golden comparison would notice it.

namespace pal::oracle {

// What one layer remembers between two parts of a sequence.
struct LayerMemory {
    std::map<std::string, Mat<double>> conv;  // "q", "k", "v": last inputs, oldest first
    Mat<double> state;                        // [h V, K]
    Mat<double> latent;                       // [tokens, rank + rope]
};

// What the tests look at, per layer (see the golden files for the meaning).
struct ForwardRecord {
    std::vector<Mat<double>> layer;        // running stream after each layer
    std::map<int, Mat<int32_t>> moeIndex;  // by layer
    std::map<int, Mat<double>> moeWeight;
    Mat<double> logits;
};

class ModelOracle {
  public:
    // `config` is the parsed config.json; `tensor` returns a tensor by its name without "language_model.", flattened to [first extent, rest].
    // For MXFP4 weights it is asked for "<name>.weight" and must decode them itself.
    using Lookup = std::function<Mat<double>(const std::string& name)>;
    ModelOracle(const nlohmann::json& config, Lookup tensor, Wrong wrong = Wrong::kNone);

    [[nodiscard]] std::vector<LayerMemory> newMemory() const;
    // Continues the sequence held in `memory`.
    ForwardRecord forward(const std::vector<int32_t>& ids, std::vector<LayerMemory>& memory) const;

  private:
    Mat<double> weight(const std::string& name) const { return tensor_(name + ".weight"); }
    std::vector<double> vec(const std::string& name) const { return tensor_(name).v; }
    Mat<double> kda(const Mat<double>& x, int layer, LayerMemory& memory) const;
    Mat<double> mla(const Mat<double>& x, int layer, LayerMemory& memory) const;
    Mat<double> feed(const Mat<double>& x, int layer, ForwardRecord& record) const;
    Mat<double> moeLayer(const Mat<double>& x, int layer, ForwardRecord& record) const;
    Mat<double> mix(const Mat<double>& current, const std::vector<Mat<double>>& stack, const std::string& prefix) const;
    bool isKda(int layer) const;
    double number(const char* key, double otherwise) const;
    bool flag(const char* key) const;

    nlohmann::json text_;
    nlohmann::json linear_;
    Lookup tensor_;
    Wrong wrong_;
    double eps_;
    double beta_ = 0;  // SiTU; 0 = SwiGLU
    double linearBeta_ = 0;
};

}  // namespace pal::oracle
