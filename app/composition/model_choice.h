// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace pal {

// The model a program works with.
struct ModelChoice {
    enum class Origin { kNamed, kEnvironment, kEmbedded };
    std::filesystem::path path;  // as the engine takes it
    Origin origin = Origin::kNamed;
};

// Names the folder of the model to use when nobody names one.
inline constexpr const char* kModelVariable = "PALIMPSEST_MODEL";

// A path as it is; ORG/NAME from the Hugging Face cache; nothing: the folder in PALIMPSEST_MODEL, else the embedded model. Errors: kNotFound.
Result<ModelChoice> chooseModel(const std::string& named);
// The model that comes with the program: ../share/palimpsest/nano beside it or, in a build tree, among the sources. Errors: kNotFound.
Result<ModelChoice> embeddedModel();

// A model in the cache of huggingface_hub.
struct CachedModel {
    std::string name;  // "moonshotai/Kimi-Linear-48B-A3B-Instruct"
    std::filesystem::path path;
};
// What people call the model of a folder: of a snapshot in that cache its name without the owner's, else that of the folder.
[[nodiscard]] std::string modelName(const std::filesystem::path& folder);
// Those whose snapshot has a config.json, by name. A cache that is not there has none.
[[nodiscard]] std::vector<CachedModel> cachedModels();

}  // namespace pal
