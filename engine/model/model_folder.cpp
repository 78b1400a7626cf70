// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model_folder.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "engine/base/mapped_file.h"
#include "engine/model/json_file.h"

namespace pal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kShardEnding = ".safetensors";
constexpr const char* kIndexName = "model.safetensors.index.json";
// The index of the published K3 checkpoint has half a million entries and about 60 MB.
constexpr JsonLimits kIndexLimits{128ULL << 20, 4};

bool isFile(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

bool isFolder(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

// Why a file that should be there cannot be used.
std::string whyNotFile(const fs::path& path) {
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(path, error))) {
        const fs::path target = fs::read_symlink(path, error);
        static_cast<void>(fs::status(path, error));
        return fmt::format("is a link to {} that cannot be followed ({})", target.string(), error.message());
    }
    return fs::exists(path, error) ? "is not a regular file" : "is missing";
}

// A name that stays inside its folder.
bool isPlainName(std::string_view name) {
    return !name.empty() && name.find('/') == std::string_view::npos && name != "." && name != "..";
}

// Without refs/main (a download of one revision) only a single snapshot is unambiguous.
Result<fs::path> onlySnapshot(const fs::path& snapshots) {
    std::error_code error;
    std::set<std::string> names;
    for (fs::directory_iterator it(snapshots, error), end; !error && it != end; it.increment(error)) {
        if (isFolder(it->path())) names.insert(it->path().filename().string());
    }
    if (error) return fail(ErrorCode::kIo, "{}: {}", snapshots.string(), error.message());
    if (names.size() == 1) return snapshots / *names.begin();
    if (names.empty()) return fail(ErrorCode::kNotFound, "{}: there is no snapshot", snapshots.string());
    return fail(ErrorCode::kNotFound, "{}: refs/main is missing beside {} snapshots, give the folder of one: {}",
                snapshots.string(), names.size(), fmt::join(names, ", "));
}

// The snapshot folder of a Hugging Face cache entry.
Result<fs::path> findSnapshot(const fs::path& entry) {
    const fs::path reference = entry / "refs" / "main";
    if (!isFile(reference)) return onlySnapshot(entry / "snapshots");
    PAL_ASSIGN(const MappedFile file, MappedFile::open(reference));
    const auto bytes = file.bytes();
    constexpr size_t kLongest = 128;
    std::string commit(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kLongest));
    commit.erase(commit.find_last_not_of(" \t\r\n") + 1);
    if (!isPlainName(commit)) {
        return fail(ErrorCode::kFormat, "{}: '{}' is not the name of a snapshot", reference.string(), commit);
    }
    fs::path snapshot = entry / "snapshots" / commit;
    if (!isFolder(snapshot)) {
        return fail(ErrorCode::kNotFound, "{}: names the snapshot {}, which is not in {}", reference.string(), commit,
                    (entry / "snapshots").string());
    }
    return snapshot;
}

Result<std::map<std::string, std::string>> readIndex(const fs::path& path) {
    PAL_ASSIGN(const nlohmann::json index, readJsonFile(path, kIndexLimits));
    const auto map = index.find("weight_map");
    if (map == index.end() || !map->is_object()) {
        return fail(ErrorCode::kFormat, "{}: weight_map is missing", path.string());
    }
    if (map->empty()) return fail(ErrorCode::kFormat, "{}: weight_map is empty", path.string());
    Problems problems;
    std::map<std::string, std::string> out;
    for (const auto& [tensor, file] : map->items()) {
        if (!file.is_string() || !isPlainName(file.get_ref<const std::string&>())) {
            problems.add("weight_map gives tensor '{}' a value that is not a file name", tensor);
            continue;
        }
        out.emplace_hint(out.end(), tensor, file.get<std::string>());
    }
    if (!problems.empty()) return fail(problems.toError(path.string()));
    return out;
}

// "model-00003-of-000096.safetensors" -> {"model-", 5 digits, 3, "000096", 96}
struct ShardName {
    std::string stem;
    size_t digits = 0;
    int64_t number = 0;
    std::string totalText;
    int64_t total = 0;
};

std::optional<int64_t> parseNumber(std::string_view text) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::optional<ShardName> parseShardName(std::string_view name) {
    name.remove_suffix(kShardEnding.size());
    const size_t of = name.rfind("-of-");
    if (of == std::string_view::npos) return std::nullopt;
    const size_t dash = name.substr(0, of).rfind('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const std::string_view number = name.substr(dash + 1, of - dash - 1);
    const std::string_view total = name.substr(of + 4);
    const auto parsedNumber = parseNumber(number);
    const auto parsedTotal = parseNumber(total);
    if (!parsedNumber.has_value() || !parsedTotal.has_value()) return std::nullopt;
    return ShardName{std::string(name.substr(0, dash + 1)), number.size(), *parsedNumber, std::string(total),
                     *parsedTotal};
}

// Without an index only the numbering tells which shards a folder should hold.
std::set<std::string> promisedShards(const std::set<std::string>& present) {
    constexpr int64_t kMostShards = 100'000;
    std::set<std::string> promised = present;
    for (const std::string& name : present) {
        const auto parsed = parseShardName(name);
        if (!parsed.has_value() || parsed->total > kMostShards || promised.size() > static_cast<size_t>(kMostShards))
            continue;
        for (int64_t i = 1; i <= parsed->total; ++i) {
            promised.insert(
                fmt::format("{}{:0{}}-of-{}{}", parsed->stem, i, parsed->digits, parsed->totalText, kShardEnding));
        }
        break;  // all shards of one numbering promise the same
    }
    return promised;
}

Result<std::set<std::string>> shardsInFolder(const fs::path& folder) {
    std::error_code error;
    std::set<std::string> names;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (name.ends_with(kShardEnding)) names.insert(name);
    }
    if (error) return fail(ErrorCode::kIo, "{}: {}", folder.string(), error.message());
    if (names.contains("model.safetensors")) return std::set<std::string>{"model.safetensors"};
    return names;
}

}  // namespace

Result<> findShards(ModelFolder& model, Problems& missing) {
    const fs::path index = model.root / kIndexName;
    std::set<std::string> names;
    std::error_code error;
    if (fs::exists(fs::symlink_status(index, error))) {
        PAL_ASSIGN(model.shardOfTensor, readIndex(index));
        for (const auto& [tensor, file] : model.shardOfTensor) names.insert(file);
    } else {
        PAL_ASSIGN(const std::set<std::string> present, shardsInFolder(model.root));
        names = promisedShards(present);
    }
    for (const std::string& name : names) {
        const fs::path path = model.root / name;
        if (isFile(path)) {
            model.shards.push_back(path);
        } else {
            missing.add(Error{ErrorCode::kNotFound, fmt::format("shard {} {}", name, whyNotFile(path))});
        }
    }
    return {};
}

Result<ModelFolder> locateModel(const fs::path& path) {
    ModelFolder model;
    if (isFile(path)) {
        if (path.extension() != ".json") {
            return fail(ErrorCode::kInvalidArgument, "{}: give the model's folder, or a config.json", path.string());
        }
        model.root = path.has_parent_path() ? path.parent_path() : ".";
        model.config = path;
        model.configAlone = true;
        return model;
    }
    if (!isFolder(path)) {
        std::error_code error;
        const bool there = fs::exists(fs::symlink_status(path, error));
        return fail(ErrorCode::kNotFound, "{}: {}", path.string(), there ? whyNotFile(path) : "no such file or folder");
    }
    model.root = path;
    if (!isFile(path / "config.json") && isFolder(path / "snapshots")) {
        PAL_ASSIGN(model.root, findSnapshot(path));
    }
    model.config = model.root / "config.json";
    return model;
}

Result<ModelFolder> findModel(const fs::path& path) {
    PAL_ASSIGN(ModelFolder model, locateModel(path));
    if (!isFile(model.config)) {
        return fail(ErrorCode::kNotFound, "{}: {}", model.config.string(), whyNotFile(model.config));
    }
    if (model.configAlone) return model;
    Problems missing;
    PAL_TRY(findShards(model, missing));
    if (!missing.empty()) return fail(missing.toError(model.root.string()));
    return model;
}

}  // namespace pal
