// SPDX-License-Identifier: Apache-2.0
#include "app/composition/model_choice.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "engine/api/model_files.h"

namespace pal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "models--";  // of an entry of the cache

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

}  // namespace

Result<ModelChoice> embeddedModel() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path().parent_path() / "share/palimpsest/nano";
    for (const fs::path& folder : {installed, fs::path(PAL_EMBEDDED_MODEL)}) {
        if (isThere(folder / "config.json")) return ModelChoice{folder, ModelChoice::Origin::kEmbedded};
    }
    return fail(ErrorCode::kNotFound, "no model is named and the embedded one is not in {}; name a model or set {}",
                installed.string(), kModelVariable);
}

Result<ModelChoice> chooseModel(const std::string& named) {
    if (named.empty()) {
        if (const std::string folder = environment(kModelVariable); !folder.empty()) {
            if (!isThere(folder))
                return fail(ErrorCode::kNotFound, "{}: no such file or folder (from {})", folder, kModelVariable);
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

std::string modelName(const fs::path& path) {
    fs::path folder = fs::absolute(path).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // of a trailing slash
    if (folder.parent_path().filename() == "snapshots") {
        const std::string entry = folder.parent_path().parent_path().filename().string();
        if (entry.starts_with(kPrefix)) {
            const std::string name = entry.substr(kPrefix.size());
            const size_t dashes = name.rfind("--");  // between owner and name; a few have no owner
            return dashes == std::string::npos ? name : name.substr(dashes + 2);
        }
    }
    return folder.filename().string();
}

std::vector<CachedModel> cachedModels() {
    std::vector<CachedModel> out;
    std::error_code error;
    for (fs::directory_iterator entry(hubCache(), error), end; !error && entry != end; entry.increment(error)) {
        std::string name = entry->path().filename().string();
        if (!name.starts_with(kPrefix)) continue;
        name.erase(0, kPrefix.size());
        const size_t dashes = name.find("--");
        if (dashes == std::string::npos) continue;
        name.replace(dashes, 2, "/");
        const auto folder = findModelFolder(entry->path());
        if (folder && isThere(*folder / "config.json")) out.push_back({std::move(name), entry->path()});
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return out;
}

}  // namespace pal
