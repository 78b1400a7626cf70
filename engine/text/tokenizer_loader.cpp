// SPDX-License-Identifier: Apache-2.0
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "engine/base/mapped_file.h"
#include "engine/text/json_value.h"
#include "engine/text/memory_guard.h"
#include "engine/text/tokenizer_tables.h"

namespace pal {
namespace {

namespace fs = std::filesystem;
using Kind = JsonValue::Kind;

std::string_view asText(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

// Whether anything has that name. A link to nowhere and a file that may not be looked at do: opening them tells what is wrong.
bool isThere(const fs::path& path) {
    std::error_code error;
    return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

// As MappedFile::open, with words for a link to nowhere.
Result<MappedFile> openFile(const fs::path& path) {
    auto file = MappedFile::open(path);
    std::error_code error;
    if (!file && file.error().code == ErrorCode::kNotFound && fs::is_symlink(fs::symlink_status(path, error))) {
        return fail(ErrorCode::kNotFound, "{}: the link leads to '{}', which is not there", path.string(),
                    fs::read_symlink(path, error).string());
    }
    return file;
}

// A JSON file whose top level is an object.
Result<JsonValue> readJsonObject(const fs::path& path) {
    PAL_ASSIGN(const MappedFile file, openFile(path));
    auto json = parseJson(asText(file), kMaxConfigBytes);
    if (!json) return fail(json.error().withContext(path.string()));
    if (!json->is(Kind::kObject)) return fail(ErrorCode::kFormat, "{}: the top level is not an object", path.string());
    return json;
}

// A file that may be missing: then a null value.
Result<JsonValue> readOptionalJsonObject(const fs::path& path) {
    return isThere(path) ? readJsonObject(path) : JsonValue{};
}

std::optional<TokenId> asTokenId(std::string_view digits) {
    TokenId id = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    if (error != std::errc{} || end != digits.data() + digits.size() || id < 0) return std::nullopt;
    return id;
}

// added_tokens_decoder of a tokenizer_config.json: {"163584": {"content": "[BOS]", ...}, ...}; empty when it is not there.
Result<std::map<TokenId, std::string>> addedTokens(const JsonValue& config, std::string_view source) {
    std::map<TokenId, std::string> names;
    const JsonValue* decoder = config.find("added_tokens_decoder");
    if (decoder == nullptr) return names;
    if (!decoder->is(Kind::kObject))
        return fail(ErrorCode::kFormat, "{}: added_tokens_decoder is not an object", source);
    for (const JsonMember& member : decoder->members) {
        const auto id = asTokenId(member.key);
        if (!id)
            return fail(ErrorCode::kFormat, "{}: added_tokens_decoder key '{}' is not a token id", source, member.key);
        const JsonValue* content = member.value.find("content");
        if (content == nullptr || !content->is(Kind::kString)) {
            return fail(ErrorCode::kFormat, "{}: added_tokens_decoder[{}] has no string 'content'", source, *id);
        }
        if (!names.emplace(*id, content->text).second) {
            return fail(ErrorCode::kFormat, "{}: added_tokens_decoder names token {} twice", source, *id);
        }
    }
    return names;
}

std::optional<ChatStyle> styleOfNames(const ControlTokens& control) {
    const auto hasAll = [&](std::initializer_list<std::string_view> names) {
        return std::all_of(names.begin(), names.end(),
                           [&](std::string_view name) { return control.find(name).has_value(); });
    };
    if (hasAll({"<|open|>", "<|close|>", "<|sep|>", "<|end_of_msg|>"})) return ChatStyle::kK3;
    if (hasAll({"<|im_end|>", "<|im_user|>", "<|im_assistant|>", "<|im_system|>", "<|im_middle|>"}))
        return ChatStyle::kK2;
    return std::nullopt;
}

std::array<uint64_t, 2> fingerprintOf(std::string_view file, const ControlTokens& control, TokenId base) {
    std::string names;
    for (TokenId id = base; id < base + ControlTokens::kCount; ++id) {
        names += control.name(id);
        names += '\0';
    }
    const XXH128_hash_t ofFile = XXH3_128bits(file.data(), file.size());
    const XXH128_hash_t both = XXH3_128bits_withSeed(names.data(), names.size(), ofFile.low64 ^ ofFile.high64);
    return {both.low64 ^ ofFile.low64, both.high64 ^ ofFile.high64};
}

void addStopId(std::vector<TokenId>& ids, std::optional<TokenId> id) {
    if (id && std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
}

// `eos_token_id` of a config file: a number or an array of numbers. Nothing when the key is missing or null.
Result<std::vector<TokenId>> eosIds(const JsonValue& config, TokenId size, std::string_view source) {
    std::vector<TokenId> ids;
    const JsonValue* eos = config.find("eos_token_id");
    if (eos == nullptr || eos->is(Kind::kNull)) return ids;
    const std::span<const JsonValue> values = eos->is(Kind::kArray) ? std::span(eos->items) : std::span(eos, 1);
    for (const JsonValue& value : values) {
        const auto id = value.is(Kind::kNumber) ? asTokenId(value.text) : std::nullopt;
        if (!id || *id >= size) {
            return fail(ErrorCode::kFormat, "{}: eos_token_id is not a token id below {}", source, size);
        }
        addStopId(ids, id);
    }
    return ids;
}

// Of tokenizer_config.json where it has any, else the published ones.
Result<std::map<TokenId, std::string>> controlNames(const std::optional<fs::path>& config, ChatStyle fallback,
                                                    TokenId base) {
    if (config) {
        PAL_ASSIGN(const JsonValue json, readJsonObject(*config));
        PAL_ASSIGN(auto names, addedTokens(json, config->string()));
        if (!names.empty()) return names;
    }
    return ControlTokens::publishedNames(fallback, base);
}

}  // namespace

Tokenizer TokenizerLoader::wrap(Tokenizer::Tables tables) {
    return Tokenizer(std::make_shared<const Tokenizer::Tables>(std::move(tables)));
}

Tokenizer TokenizerLoader::withCuts(const Tokenizer& tokenizer, pretokenizer::CutLimits cuts) {
    Tokenizer::Tables tables = *tokenizer.tables_;
    tables.cuts = cuts;
    return wrap(std::move(tables));
}

Result<Tokenizer::Tables> TokenizerLoader::loadTables(const fs::path& vocabulary, const std::optional<fs::path>& config,
                                                      ChatStyle fallback) {
    PAL_ASSIGN(const MappedFile file, openFile(vocabulary));
    PAL_ASSIGN(Vocabulary parsed, Vocabulary::parse(asText(file), vocabulary.string()));
    Tokenizer::Tables tables(std::move(parsed));
    const TokenId base = tables.vocabulary.size();
    PAL_ASSIGN(const auto names, controlNames(config, fallback, base));
    PAL_ASSIGN(tables.control, ControlTokens::make(base, names, config.value_or(vocabulary).string()));
    const auto style = styleOfNames(tables.control);
    if (!style) {
        return fail(ErrorCode::kUnsupported, "{}: the control tokens are neither those of Kimi K3 nor of Kimi K2",
                    config.value_or(vocabulary).string());
    }
    tables.style = *style;
    tables.mediaPadId = tables.control.find("<|media_pad|>");
    tables.fingerprint = fingerprintOf(asText(file), tables.control, base);
    return tables;
}

void TokenizerLoader::addNamedStops(Tokenizer::Tables& tables) {
    for (const std::string_view name : {"<|end_of_msg|>", "<|im_end|>", "[EOS]", "[EOT]"}) {
        addStopId(tables.stopIds, tables.control.find(name));
    }
}

Result<Tokenizer> TokenizerLoader::load(const fs::path& vocabulary, const std::optional<fs::path>& config,
                                        ChatStyle fallback) {
    PAL_ASSIGN(Tokenizer::Tables tables, loadTables(vocabulary, config, fallback));
    addNamedStops(tables);
    return wrap(std::move(tables));
}

Result<Tokenizer> TokenizerLoader::loadModelFolder(const fs::path& folder) {
    const std::string configName = (folder / "config.json").string();
    PAL_ASSIGN(const JsonValue config, readOptionalJsonObject(folder / "config.json"));
    PAL_ASSIGN(const JsonValue generation, readOptionalJsonObject(folder / "generation_config.json"));
    const JsonValue* type = config.find("model_type");
    const ChatStyle fallback = type != nullptr && type->text == "kimi_linear" ? ChatStyle::kK2 : ChatStyle::kK3;
    std::optional<fs::path> tokenizerConfig;
    if (isThere(folder / "tokenizer_config.json")) tokenizerConfig = folder / "tokenizer_config.json";
    PAL_ASSIGN(Tokenizer::Tables tables, loadTables(folder / "tiktoken.model", tokenizerConfig, fallback));

    const TokenId size = tables.vocabulary.size() + ControlTokens::kCount;
    PAL_ASSIGN(tables.stopIds, eosIds(generation, size, (folder / "generation_config.json").string()));
    if (tables.stopIds.empty()) {
        PAL_ASSIGN(tables.stopIds, eosIds(config, size, configName));
    }
    addNamedStops(tables);
    if (const JsonValue* pad = config.find("media_placeholder_token_id"); pad != nullptr && !pad->is(Kind::kNull)) {
        tables.mediaPadId = pad->is(Kind::kNumber) ? asTokenId(pad->text) : std::nullopt;
        if (!tables.mediaPadId || *tables.mediaPadId >= size) {
            return fail(ErrorCode::kFormat, "{}: media_placeholder_token_id is not a token id below {}", configName,
                        size);
        }
    }
    return wrap(std::move(tables));
}

Result<Tokenizer> Tokenizer::load(const fs::path& vocabulary, const std::optional<fs::path>& config,
                                  ChatStyle fallback) {
    return guardMemory(vocabulary.string(), [&] { return TokenizerLoader::load(vocabulary, config, fallback); });
}

Result<Tokenizer> Tokenizer::loadModelFolder(const fs::path& folder) {
    return guardMemory(folder.string(), [&] { return TokenizerLoader::loadModelFolder(folder); });
}

}  // namespace pal
