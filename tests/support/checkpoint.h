// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/model/json_file.h"
#include "engine/model/safetensors.h"
#include "engine/model/weight_store.h"

namespace pal::test {

// A checkpoint in memory, to be changed and written again: how the tests make every kind of odd or broken model.
struct Checkpoint {
    struct Tensor {
        StorageType type = StorageType::kF32;
        TensorShape shape;
        std::vector<std::byte> bytes;
    };
    nlohmann::json config;
    std::map<std::string, Tensor> tensors;

    static Checkpoint read(const std::filesystem::path& path) {
        Checkpoint out;
        const auto folder = findModel(path);
        EXPECT_TRUE(folder.has_value()) << folder.error().message;
        out.config = readJsonFile(folder->config).value();
        const auto store = WeightStore::open(*folder);
        EXPECT_TRUE(store.has_value()) << store.error().message;
        for (const StoredTensor& tensor : store->tensors()) {
            out.tensors[tensor.name] = {tensor.type, tensor.shape, {tensor.bytes.begin(), tensor.bytes.end()}};
        }
        return out;
    }

    void rename(const std::string& from, const std::string& to) {
        auto node = tensors.extract(from);
        ASSERT_FALSE(node.empty()) << from;
        node.key() = to;
        tensors.insert(std::move(node));
    }

    void setFloats(const std::string& name, const TensorShape& shape, const std::vector<float>& values) {
        Tensor& tensor = tensors[name];
        tensor = {StorageType::kF32, shape, std::vector<std::byte>(values.size() * sizeof(float))};
        std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    }

    // Writes config.json and one model.safetensors.
    void write(const std::filesystem::path& folder) const {
        std::vector<SafetensorsWriter::Declared> declared;
        for (const auto& [name, tensor] : tensors) declared.push_back({name, tensor.type, tensor.shape});
        auto writer = SafetensorsWriter::create(folder / "model.safetensors", std::move(declared), {{"format", "pt"}});
        ASSERT_TRUE(writer.has_value()) << writer.error().message;
        for (const SafetensorsEntry& entry : writer->header().entries) {
            ASSERT_TRUE(writer->write(tensors.at(entry.name).bytes).has_value());
        }
        const auto done = writer->finish();
        ASSERT_TRUE(done.has_value()) << done.error().message;
        auto file = FileWriter::create(folder / "config.json");
        const std::string text = config.dump(1);
        ASSERT_TRUE(file->write(std::as_bytes(std::span(text))).has_value());
        ASSERT_TRUE(file->commit().has_value());
    }
};

}  // namespace pal::test
