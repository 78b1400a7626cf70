// SPDX-License-Identifier: Apache-2.0
#include "app/composition/drafts.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>

#include "app/composition/attachment_settings.h"
#include "engine/base/file_writer.h"
#include "engine/base/mapped_file.h"
#include "engine/base/private_folder.h"
#include "storage/chats/sha256.h"

namespace pal {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result<> writeFile(const fs::path& path, std::string_view bytes) {
    PAL_ASSIGN(FileWriter writer, FileWriter::create(path, FileWriter::Readers::kOwner));
    PAL_TRY(writer.write(std::as_bytes(std::span(bytes))));
    return writer.commit();
}

Result<std::string> readFile(const fs::path& path) {
    PAL_ASSIGN(const MappedFile file, MappedFile::open(path));
    return std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
}

Result<> removeFile(const fs::path& path) {
    std::error_code error;
    fs::remove(path, error);
    if (error) return fail(ErrorCode::kIo, "{}: {}", path.string(), error.message());
    return {};
}

Result<std::vector<fs::path>> filesIn(const fs::path& folder) {
    std::vector<fs::path> out;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->is_regular_file(error)) out.push_back(at->path());
    if (error && error != std::errc::no_such_file_or_directory)
        return fail(ErrorCode::kIo, "{}: {}", folder.string(), error.message());
    return out;
}

// Of <session>.json.
std::optional<SessionId> sessionOf(const fs::path& file) {
    const std::string stem = file.stem().string();
    SessionId id = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), id);
    const bool number = error == std::errc() && end == stem.data() + stem.size();
    return number && id >= 0 && file.extension() == ".json" ? std::optional(id) : std::nullopt;
}

fs::path fileOf(const fs::path& drafts, SessionId session) {
    return drafts / (std::to_string(session) + ".json");
}

// Pasted text goes into a file that has the name of its content, so that it is written once.
Result<json> jsonOf(const fs::path& drafts, const AttachedFile& file) {
    json out{{"name", file.name}, {"options", attachmentOptionsText(file.options)}};
    if (file.kind == AttachedKind::kText) {
        const std::string& text = file.document ? file.document->pages.front().text : file.text;
        const std::string name = toHex(sha256(std::as_bytes(std::span(text)))) + ".txt";
        if (std::error_code none; !fs::exists(pastedFolder(drafts) / name, none))
            PAL_TRY(writeFile(pastedFolder(drafts) / name, text));
        out["text"] = name;
    } else if (file.path.parent_path() == pastedFolder(drafts)) {
        out["pasted"] = file.path.filename().string();
    } else {
        out["path"] = file.path.string();
    }
    return out;
}

Result<json> jsonOf(const fs::path& drafts, const DraftText& draft) {
    json out{{"text", draft.text}, {"attachments", json::array()}};
    for (const AttachedFile& file : draft.attachments) {
        PAL_ASSIGN(json attachment, jsonOf(drafts, file));
        out["attachments"].push_back(std::move(attachment));
    }
    return out;
}

std::string textAt(const json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// Nothing for text that is not there any more.
std::optional<AttachedFile> attachmentFrom(const fs::path& drafts, const json& object, std::set<std::string>& pasted) {
    if (!object.is_object()) return std::nullopt;
    AttachedFile out;
    out.name = textAt(object, "name");
    out.options = attachmentOptionsFrom(textAt(object, "options"));
    // Names alone: a draft leads nowhere else.
    const std::string text = fs::path(textAt(object, "text")).filename().string();
    const std::string picture = fs::path(textAt(object, "pasted")).filename().string();
    if (!text.empty()) {
        auto content = readFile(pastedFolder(drafts) / text);
        if (!content) return std::nullopt;
        Document document;
        document.pageCount = 1;
        document.pages.emplace_back().text = std::move(*content);
        out.kind = AttachedKind::kText;
        out.document = std::make_shared<const Document>(std::move(document));
        pasted.insert(text);
    } else if (!picture.empty()) {
        out.path = pastedFolder(drafts) / picture;
        pasted.insert(picture);
    } else {
        out.path = textAt(object, "path");
    }
    return out;
}

DraftText textFrom(const fs::path& drafts, const json& object, std::set<std::string>& pasted) {
    DraftText out;
    if (!object.is_object()) return out;
    out.text = textAt(object, "text");
    const auto list = object.find("attachments");
    if (list == object.end() || !list->is_array()) return out;
    for (const json& attachment : *list)
        if (auto file = attachmentFrom(drafts, attachment, pasted)) out.attachments.push_back(std::move(*file));
    return out;
}

// Nothing for what is no draft.
std::optional<Draft> draftFrom(const fs::path& drafts, const std::string& text, std::set<std::string>& pasted) {
    const json object = json::parse(text, nullptr, false);
    if (!object.is_object()) return std::nullopt;
    Draft out;
    out.question = textFrom(drafts, object, pasted);
    const auto edited = object.find("edited");
    if (edited != object.end() && edited->is_number_integer() && edited->get<MessageId>() > 0) {
        out.edited = edited->get<MessageId>();
        out.again = textFrom(drafts, object.value("again", json::object()), pasted);
    }
    return out;
}

}  // namespace

fs::path draftFolder(const fs::path& data) {
    return data / "drafts";
}

fs::path pastedFolder(const fs::path& drafts) {
    return drafts / "pasted";
}

Result<std::map<SessionId, Draft>> readDrafts(const fs::path& drafts, const std::function<bool(SessionId)>& known) {
    std::map<SessionId, Draft> out;
    std::set<std::string> pasted;
    PAL_ASSIGN(const std::vector<fs::path> files, filesIn(drafts));
    for (const fs::path& file : files) {
        const std::optional<SessionId> session = sessionOf(file);
        if (!session) continue;
        if (*session != 0 && !known(*session)) {
            PAL_TRY(removeFile(file));
            continue;
        }
        PAL_ASSIGN(const std::string text, readFile(file));
        if (auto draft = draftFrom(drafts, text, pasted)) {
            out.emplace(*session, std::move(*draft));
            continue;
        }
        std::error_code error;
        fs::rename(file, file.string() + ".damaged", error);
    }
    PAL_ASSIGN(const std::vector<fs::path> all, filesIn(pastedFolder(drafts)));
    for (const fs::path& file : all)
        if (!pasted.contains(file.filename().string())) PAL_TRY(removeFile(file));
    return out;
}

Result<> writeDraft(const fs::path& drafts, SessionId session, const Draft& draft) {
    if (draft.empty()) return removeFile(fileOf(drafts, session));
    PAL_TRY(makePrivateFolder(pastedFolder(drafts)));
    PAL_ASSIGN(json out, jsonOf(drafts, draft.question));
    if (draft.edited != 0) {
        out["edited"] = draft.edited;
        PAL_ASSIGN(out["again"], jsonOf(drafts, draft.again));
    }
    return writeFile(fileOf(drafts, session), out.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace pal
