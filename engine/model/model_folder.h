// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/problems.h"

namespace pal {

// Where the files of a model lie. Nothing but names is looked at.
struct ModelFolder {
    std::filesystem::path root;                 // the folder with the files, symbolic links not followed
    std::filesystem::path config;               // config.json
    bool configAlone = false;                   // a .json file was given: weights beside it do not count
    std::vector<std::filesystem::path> shards;  // in name order; empty: a config without weights
    std::map<std::string, std::string>
        shardOfTensor;  // model.safetensors.index.json: tensor -> file name; empty without an index
};

// Finds a model from what a person would give:
//   * a folder with config.json and model.safetensors, or shards with or without an index,
//   * the root of a Hugging Face cache entry (models--org--name): its refs/main names the snapshot, without it the only snapshot is taken,
//   * a config.json (or another .json file with a config): no weights.
// Errors: kNotFound (the path, config.json, or shards that the index or the numbering "-00001-of-000096" promises: all by name),
// kFormat (a broken index), kIo.
Result<ModelFolder> findModel(const std::filesystem::path& path);

// The two steps of findModel for callers who go on with what is there. The first finds the folder: config.json may be missing in it.
Result<ModelFolder> locateModel(const std::filesystem::path& path);
// The second lists the shards that are there and notes the promised ones that are not. Errors: kFormat (a broken index), kIo.
Result<> findShards(ModelFolder& model, Problems& missing);

}  // namespace pal
