// SPDX-License-Identifier: Apache-2.0
#include "app/cli/model_option.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace pal::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "PALIMPSEST_MODEL";

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// Where huggingface_hub keeps its repositories.
fs::path hubCache() {
    if (const std::string folder = environment("HF_HUB_CACHE"); !folder.empty()) return folder;
    if (const std::string folder = environment("HF_HOME"); !folder.empty()) return fs::path(folder) / "hub";
    if (const std::string folder = environment("XDG_CACHE_HOME"); !folder.empty())
        return fs::path(folder) / "huggingface/hub";
    return fs::path(environment("HOME")) / ".cache/huggingface/hub";
}

// ORG/NAME as the cache spells it: models--ORG--NAME.
fs::path hubEntry(const std::string& name) {
    const size_t slash = name.find('/');
    return hubCache() / ("models--" + name.substr(0, slash) + "--" + name.substr(slash + 1));
}

bool isHubName(const std::string& name) {
    return std::count(name.begin(), name.end(), '/') == 1 && name.front() != '/' && name.back() != '/' &&
           name.front() != '.' && name.front() != '~';
}

Result<ModelChoice> embeddedModel() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path().parent_path() / "share/palimpsest/nano";
    for (const fs::path& folder : {installed, fs::path(PAL_EMBEDDED_MODEL)}) {
        if (isThere(folder / "config.json")) return ModelChoice{folder, ModelChoice::Origin::kEmbedded};
    }
    return fail(ErrorCode::kNotFound, "no model is named and the embedded one is not in {}; name a model or set {}",
                installed.string(), kVariable);
}

}  // namespace

void addModelOption(CLI::App& command, std::string& model) {
    command.add_option("model,-m,--model", model,
                       "Model folder or Hugging Face name; without one the embedded model (or PALIMPSEST_MODEL)");
}

Result<ModelChoice> chooseModel(const std::string& named) {
    if (named.empty()) {
        if (const std::string folder = environment(kVariable); !folder.empty()) {
            if (!isThere(folder))
                return fail(ErrorCode::kNotFound, "{}: no such file or folder (from {})", folder, kVariable);
            return ModelChoice{folder, ModelChoice::Origin::kEnvironment};
        }
        return embeddedModel();
    }
    if (isThere(named)) return ModelChoice{named, ModelChoice::Origin::kNamed};
    if (!isHubName(named)) return fail(ErrorCode::kNotFound, "{}: no such file or folder", named);
    const fs::path entry = hubEntry(named);
    if (isThere(entry)) return ModelChoice{entry, ModelChoice::Origin::kNamed};
    return fail(ErrorCode::kNotFound, "{}: no such file or folder, and not in the Hugging Face cache ({})", named,
                entry.string());
}

bool namesModel(const std::string& word) {
    std::error_code ignored;
    if (fs::is_directory(word, ignored)) return true;
    return word.find('/') != std::string::npos && word.find_first_of(" \t\n") == std::string::npos;
}

void tellModel(Terminal& terminal, const ModelChoice& model) {
    if (model.origin == ModelChoice::Origin::kNamed) return;
    terminal.errLine("Model: {} ({})", model.path.string(),
                     model.origin == ModelChoice::Origin::kEmbedded ? "embedded" : kVariable);
}

}  // namespace pal::cli
