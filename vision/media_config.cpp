// SPDX-License-Identifier: Apache-2.0
#include "vision/media_config.h"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "engine/base/mapped_file.h"

namespace pal {
namespace {

using Json = nlohmann::json;

// Numbers above these are mistakes, and would overflow products of sizes.
constexpr int64_t kMaxPatch = 1024;
constexpr int64_t kMaxMerge = 64;
constexpr int64_t kMaxSidePatches = 1 << 16;
constexpr int64_t kMaxPatches = int64_t{1} << 32;
constexpr int64_t kMaxSquare = 1 << 16;
constexpr int64_t kMaxFramesPerChunk = 1024;
constexpr double kMaxFps = 1000;

// Reads members of one JSON object and keeps the first thing that is wrong.
class Reader {
  public:
    Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

    [[nodiscard]] bool has(const char* key) const { return object_.contains(key) && !object_[key].is_null(); }

    int64_t integer(const char* key, int64_t low, int64_t high) {
        const Json* value = required(key);
        if (!value) return low;
        if (!value->is_number_integer()) return wrong(key, "is not an integer"), low;
        // A number beyond int64 arrives as unsigned.
        const bool fits = !value->is_number_unsigned() ||
                          value->get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
        const int64_t number = fits ? value->get<int64_t>() : std::numeric_limits<int64_t>::max();
        if (number < low || number > high) {
            return wrong(key, fmt::format("is {}, outside {} to {}", value->dump(), low, high)), low;
        }
        return number;
    }
    int64_t integerOr(const char* key, int64_t fallback, int64_t low, int64_t high) {
        return has(key) ? integer(key, low, high) : fallback;
    }
    std::optional<int64_t> optionalInteger(const char* key, int64_t low, int64_t high) {
        return has(key) ? std::optional(integer(key, low, high)) : std::nullopt;
    }
    double positive(const char* key, double high) {
        const Json* value = required(key);
        if (!value) return 1;
        const double number = value->is_number() ? value->get<double>() : 0;
        if (!(number > 0 && number <= high)) {
            return wrong(key, fmt::format("is {}, not a number above 0 and up to {}", clip(*value), high)), 1;
        }
        return number;
    }
    // An integer, or the same integer several times in a list.
    int64_t squareSize(const char* key, int64_t high) {
        const Json* value = required(key);
        if (!value || !value->is_array()) return value ? integer(key, 1, high) : 1;
        if (value->size() != 2 || (*value)[0] != (*value)[1]) {
            return wrong(key, fmt::format("is {}: only equal sizes in both directions are known", clip(*value))), 1;
        }
        const Json both = {{key, (*value)[0]}};
        Reader inner(both, where_);
        const int64_t number = inner.integer(key, 1, high);
        if (!problem_) problem_ = inner.problem_;
        return number;
    }
    std::array<float, 3> channels(const char* key, double low, double high) {
        std::array<float, 3> out{1, 1, 1};
        const Json* value = required(key);
        if (!value) return out;
        if (!value->is_array() || value->size() != 3) return wrong(key, "is not a list of 3 numbers"), out;
        for (size_t c = 0; c < 3; ++c) {
            const double number = (*value)[c].is_number() ? (*value)[c].get<double>() : NAN;
            if (!(number >= low && number <= high)) {
                return wrong(key, fmt::format("holds {}, not a number from {} to {}", clip((*value)[c]), low, high)),
                       out;
            }
            out[c] = static_cast<float>(number);
        }
        return out;
    }
    // The place of the value in `names`; `fallback` when the key is missing.
    size_t choiceOr(const char* key, size_t fallback, std::initializer_list<const char*> names) {
        if (!has(key)) return fallback;
        size_t index = 0;
        for (const char* name : names) {
            if (object_[key] == name) return index;
            ++index;
        }
        return wrong(key, fmt::format("is {}, which is not known", clip(object_[key]))), fallback;
    }
    bool flagOr(const char* key, bool fallback) {
        if (!has(key)) return fallback;
        if (!object_[key].is_boolean()) return wrong(key, "is not true or false"), fallback;
        return object_[key].get<bool>();
    }

    void wrong(const char* key, const std::string& what, ErrorCode code = ErrorCode::kFormat) {
        if (!problem_) problem_ = Error{code, fmt::format("{}.{} {}", where_, key, what)};
    }
    [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

  private:
    const Json* required(const char* key) {
        if (has(key)) return &object_[key];
        wrong(key, "is missing");
        return nullptr;
    }
    static std::string clip(const Json& value) {
        std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
        if (text.size() > 60) text = text.substr(0, 60) + "...";
        return text;
    }

    const Json& object_;
    std::string where_;
    std::optional<Error> problem_;
};

Result<Json> parseObject(std::string_view text, std::string_view name) {
    constexpr size_t kMaxBytes = 16U << 20;
    if (text.size() > kMaxBytes) {
        return fail(ErrorCode::kFormat, "{}: {} bytes, the limit is {}", name, text.size(), kMaxBytes);
    }
    // Nesting is cut off in the callback: a deep text would exhaust the stack when the value is destroyed.
    constexpr int kMaxDepth = 32;
    bool tooDeep = false;
    const auto watch = [&](int depth, Json::parse_event_t, Json&) {
        tooDeep |= depth > kMaxDepth;
        return !tooDeep;
    };
    Json value = Json::parse(text, watch, false);
    if (tooDeep) return fail(ErrorCode::kFormat, "{}: nested deeper than {} levels", name, kMaxDepth);
    if (value.is_discarded() || !value.is_object()) return fail(ErrorCode::kFormat, "{}: not a JSON object", name);
    return value;
}

// Values of the reference's class where a key is missing; without the object alpha is dropped.
std::optional<Background> readBackground(const Json& media, std::string_view name, std::optional<Error>& problem) {
    const auto found = media.find("transparent_bg_config");
    if (found == media.end() || found->is_null()) return std::nullopt;
    if (!found->is_object()) {
        problem = Error{ErrorCode::kFormat, fmt::format("{}: transparent_bg_config is not an object", name)};
        return std::nullopt;
    }
    Reader reader(*found, fmt::format("{}: transparent_bg_config", name));
    Background out;
    constexpr std::array kPatterns = {Background::Pattern::kChessboard, Background::Pattern::kWhite,
                                      Background::Pattern::kGray, Background::Pattern::kBlack};
    out.pattern = kPatterns[reader.choiceOr("pattern", 3, {"chessboard", "white", "gray", "black"})];
    out.square = reader.integerOr("chessboard_square_size", 16, 1, kMaxSquare);
    out.firstSquare = reader.flagOr("chessboard_square_on_top_left", true) ? Background::FirstSquare::kWhite
                                                                           : Background::FirstSquare::kGray;
    out.white = static_cast<uint8_t>(reader.integerOr("chessboard_white_value", 255, 0, 255));
    out.gray = static_cast<uint8_t>(reader.integerOr("chessboard_gray_value", 200, 0, 255));
    Reader stage(media, fmt::format("{}: media_proc_cfg", name));
    const size_t order = stage.choiceOr("transparent_bg_fill_stage", 0, {"before_resize", "after_resize"});
    out.stage = order == 0 ? Background::Stage::kBeforeResize : Background::Stage::kAfterResize;
    problem = reader.problem() ? reader.problem() : stage.problem();
    return out;
}

std::optional<VideoConfig> readVideo(Reader& reader) {
    if (!reader.has("sample_fps") && !reader.has("in_patch_limit_each_frame")) return std::nullopt;
    VideoConfig out;
    out.sampleFps = reader.positive("sample_fps", kMaxFps);
    out.framesPerChunk = reader.integer("temporal_merge_kernel_size", 1, kMaxFramesPerChunk);
    out.patchLimitPerFrame = reader.integer("in_patch_limit_each_frame", 1, kMaxPatches);
    out.patchLimitPerVideo = reader.optionalInteger("in_patch_limit_video", 1, kMaxPatches);
    out.frameLimit = reader.optionalInteger("max_num_frames_each_video", 1, kMaxPatches);
    if (reader.choiceOr("timestamp_mode", 0, {"hh:mm:ss.fff"}) != 0) return std::nullopt;
    return out;
}

// What both files say must be the same: patches of another size would not fit the tower's weights.
std::optional<Error> compareWithTower(const MediaConfig& media, const Json& config, std::string_view name) {
    const auto found = config.find("vision_config");
    if (found == config.end() || !found->is_object()) {
        return Error{ErrorCode::kUnsupported,
                     fmt::format("{}: the model has no vision_config, it reads text only", name)};
    }
    Reader tower(*found, fmt::format("{}: vision_config", name));
    const int64_t patch = tower.integer("patch_size", 1, kMaxPatch);
    const int64_t merge = tower.squareSize("merge_kernel_size", kMaxMerge);
    const int64_t frames = tower.integer("init_pos_emb_time", 1, kMaxFramesPerChunk);
    if (tower.problem()) return tower.problem();
    const auto differ = [&](const char* what, int64_t processor, int64_t weights) {
        return Error{ErrorCode::kFormat, fmt::format("{}: {} is {} in preprocessor_config.json and {} in vision_config",
                                                     name, what, processor, weights)};
    };
    if (media.patchSize != patch) return differ("patch_size", media.patchSize, patch);
    if (media.mergeSize != merge) return differ("merge_kernel_size", media.mergeSize, merge);
    if (media.video && media.video->framesPerChunk > frames) {
        return differ("the number of frames read jointly", media.video->framesPerChunk, frames);
    }
    return std::nullopt;
}

Result<MediaConfig> readMedia(const Json& preprocessor, const Json& config, std::string_view name) {
    const auto media = preprocessor.find("media_proc_cfg");
    if (media == preprocessor.end() || !media->is_object()) {
        return fail(ErrorCode::kFormat, "{}: preprocessor_config.json has no object media_proc_cfg", name);
    }
    Reader reader(*media, fmt::format("{}: media_proc_cfg", name));
    MediaConfig out;
    out.patchSize = reader.integer("patch_size", 1, kMaxPatch);
    out.mergeSize = reader.squareSize("merge_kernel_size", kMaxMerge);
    out.patchLimit = reader.integer("in_patch_limit", 1, kMaxPatches);
    out.sideLimit = reader.integer("patch_limit_on_one_side", 1, kMaxSidePatches);
    out.mean = reader.channels("image_mean", -1e3, 1e3);
    out.std = reader.channels("image_std", 1e-6, 1e3);
    if (reader.has("fixed_output_tokens")) {
        reader.wrong("fixed_output_tokens", "is set, which is not supported", ErrorCode::kUnsupported);
    }
    out.video = readVideo(reader);
    std::optional<Error> problem = reader.problem();
    if (!problem) out.background = readBackground(*media, name, problem);
    if (!problem) problem = compareWithTower(out, config, name);
    if (problem) return fail(*std::move(problem));
    return out;
}

std::string_view textOf(const MappedFile& file) {
    const auto bytes = file.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<MediaConfig> parseMediaConfig(std::string_view preprocessorJson, std::string_view configJson,
                                     std::string_view name) {
    PAL_ASSIGN(const Json config, parseObject(configJson, fmt::format("{}: config.json", name)));
    PAL_ASSIGN(const Json preprocessor,
               parseObject(preprocessorJson, fmt::format("{}: preprocessor_config.json", name)));
    return readMedia(preprocessor, config, name);
}

Result<MediaConfig> readMediaConfig(const std::filesystem::path& folder) {
    PAL_ASSIGN(const MappedFile configFile, MappedFile::open(folder / "config.json"));
    PAL_ASSIGN(const Json config, parseObject(textOf(configFile), configFile.path().string()));
    // Said before a missing preprocessor_config.json is: a text model has none, and needs none.
    if (!config.contains("vision_config")) {
        return fail(ErrorCode::kUnsupported, "{}: the model has no vision_config, it reads text only", folder.string());
    }
    PAL_ASSIGN(const MappedFile file, MappedFile::open(folder / "preprocessor_config.json"));
    PAL_ASSIGN(const Json preprocessor, parseObject(textOf(file), file.path().string()));
    return readMedia(preprocessor, config, folder.string());
}

}  // namespace pal
