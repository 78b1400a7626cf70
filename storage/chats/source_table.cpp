// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/source_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

namespace pal {
namespace {

std::string warningsText(const std::vector<std::string>& warnings) {
    return nlohmann::json(warnings).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> warningsFrom(std::string_view text) {
    std::vector<std::string> out;
    const nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
    if (!list.is_array()) return out;
    for (const auto& warning : list)
        if (warning.is_string()) out.push_back(warning.get<std::string>());
    return out;
}

Result<Sha256> hashFrom(std::span<const std::byte> bytes) {
    Sha256 hash{};
    if (bytes.size() != hash.size()) return fail(ErrorCode::kCorrupt, "a source has a hash of {} bytes", bytes.size());
    std::copy(bytes.begin(), bytes.end(), hash.begin());
    return hash;
}

Result<std::vector<Sha256>> readHashes(sqlite::Statement& row) {
    PAL_TRY(row.start());
    std::vector<Sha256> out;
    while (true) {
        PAL_ASSIGN(const bool found, row.step());
        if (!found) return out;
        PAL_ASSIGN(const Sha256 hash, hashFrom(row.blob(0)));
        out.push_back(hash);
    }
}

constexpr std::string_view kSelectExtraction = "SELECT id, extractor, version, text, map, warnings FROM extraction ";

Extraction extractionFrom(const sqlite::Statement& row) {
    return {row.integer(0),           std::string(row.text(1)), std::string(row.text(2)),
            std::string(row.text(3)), std::string(row.text(4)), warningsFrom(row.text(5))};
}

}  // namespace

Result<SourceId> SourceTable::add(const Sha256& hash, uint64_t bytes, std::string_view mediaType, int64_t createdMs) {
    PAL_TRY(
        database_.run("INSERT INTO source (sha256, bytes, media_type, created_ms) VALUES (?1, ?2, ?3, ?4) "
                      "ON CONFLICT (sha256) DO NOTHING",
                      std::span<const std::byte>(hash), static_cast<int64_t>(bytes), mediaType, createdMs));
    return database_.integer("SELECT id FROM source WHERE sha256 = ?1", std::span<const std::byte>(hash));
}

Result<std::optional<SourceId>> SourceTable::find(const Sha256& hash) {
    const auto id = database_.integer("SELECT id FROM source WHERE sha256 = ?1", std::span<const std::byte>(hash));
    if (id) return std::optional<SourceId>(*id);
    if (id.error().code == ErrorCode::kNotFound) return std::optional<SourceId>();
    return fail(id.error());
}

Result<int64_t> SourceTable::addExtraction(SourceId source, const Extraction& extraction, int64_t createdMs) {
    PAL_TRY(
        database_.run("INSERT INTO extraction (source_id, extractor, version, text, map, warnings, created_ms) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (source_id, extractor, version) DO NOTHING",
                      source, extraction.extractor, extraction.version, extraction.text, extraction.map,
                      warningsText(extraction.warnings), createdMs));
    return database_.integer("SELECT id FROM extraction WHERE source_id = ?1 AND extractor = ?2 AND version = ?3",
                             source, extraction.extractor, extraction.version);
}

Result<Extraction> SourceTable::extraction(int64_t id) {
    PAL_ASSIGN(sqlite::Statement row, database_.prepare(fmt::format("{}WHERE id = ?1", kSelectExtraction)));
    PAL_TRY(row.start(id));
    PAL_ASSIGN(const bool found, row.step());
    if (!found) return fail(ErrorCode::kNotFound, "there is no extraction {}", id);
    return extractionFrom(row);
}

Result<std::vector<Extraction>> SourceTable::extractions(SourceId source) {
    PAL_ASSIGN(sqlite::Statement row,
               database_.prepare(fmt::format("{}WHERE source_id = ?1 ORDER BY id", kSelectExtraction)));
    PAL_TRY(row.start(source));
    std::vector<Extraction> out;
    while (true) {
        PAL_ASSIGN(const bool found, row.step());
        if (!found) return out;
        out.push_back(extractionFrom(row));
    }
}

Result<std::vector<Attachment>> SourceTable::attachments(std::span<const NewAttachment> list) {
    PAL_ASSIGN(sqlite::Statement row, database_.prepare("SELECT media_type, sha256, bytes FROM source WHERE id = ?1"));
    std::vector<Attachment> out;
    for (const NewAttachment& from : list) {
        PAL_TRY(row.start(from.source));
        PAL_ASSIGN(const bool found, row.step());
        if (!found) return fail(ErrorCode::kNotFound, "there is no source {}", from.source);
        PAL_ASSIGN(const Sha256 hash, hashFrom(row.blob(1)));
        out.push_back({from.source, from.kind, from.name, std::string(row.text(0)), hash,
                       static_cast<uint64_t>(row.integer(2)), from.extraction, from.options});
        row.reset();
    }
    return out;
}

Result<std::vector<Sha256>> SourceTable::hashes() {
    PAL_ASSIGN(sqlite::Statement row, database_.prepare("SELECT sha256 FROM source"));
    return readHashes(row);
}

Result<std::vector<Sha256>> SourceTable::removeUnused() {
    PAL_ASSIGN(
        sqlite::Statement row,
        database_.prepare("DELETE FROM source WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE source_id = source.id) "
                          "RETURNING sha256"));
    return readHashes(row);
}

}  // namespace pal
