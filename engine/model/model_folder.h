// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace pal {

// Where the files of a model lie. Nothing but names is looked at.
struct ModelFolder {
    std::filesystem::path root;                 // the folder with the files, symbolic links not followed
    std::filesystem::path config;               // config.json
    std::vector<std::filesystem::path> shards;  // in name order; empty: a config without weights
    std::map<std::string, std::string>
        shardOfTensor;  // model.safetensors.index.json: tensor -> file name; empty without an index
};

// Finds a model from what a person would give:
//   * a folder with config.json and model.safetensors, or shards with or without an index,
//   * the root of a Hugging Face cache entry (models--org--name): its refs/main names the snapshot,
//   * a config.json (or another .json file with a config): no weights.
// Errors: kNotFound (the path, config.json, or shards that the index or the numbering "-00001-of-000096" promises: all by name),
// kFormat (a broken index), kIo.
Result<ModelFolder> findModel(const std::filesystem::path& path);

}  // namespace pal
