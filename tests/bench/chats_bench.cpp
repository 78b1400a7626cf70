// SPDX-License-Identifier: Apache-2.0
// What a large library costs before the model is asked: a session of 1,250 messages, 36 MB of text and 300 pictures among 2,000 sessions.
// Prints JSON in milliseconds, the best of several runs; `cold` is a new process' first time. `count` says how many tokens the
// session has, `open` is everything from a click on it until it is shown and can be asked: messages, tree and count. `ask` is what a question in
// it takes before the engine: every message, its kept ids, the size of every picture, the whole prompt; 34 times what any model's context holds.
//   chats_bench [FOLDER]     from the root of the source tree; an own folder, kept; else one that is removed again
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "app/composition/prompt_builder.h"
#include "app/composition/workplace.h"
#include "engine/base/mapped_file.h"
#include "storage/chats/chat_database.h"
#include "storage/chats/source_files.h"

namespace {

using namespace pal;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kSessions = 2'000;
constexpr int kMessages = 1'250;
constexpr size_t kTextBytes = 36'000'000;
constexpr int kImages = 300;
constexpr size_t kImageBytes = 100'000;
constexpr const char* kModel = "resources/nano";
constexpr const char* kPicture = "tests/data/media/images/grey.png";

template <typename T>
T need(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().message.c_str());
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

double once(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Json measure(const std::function<void()>& work) {
    const double cold = once(work);
    double best = cold;
    for (int i = 0; i < 5; ++i) best = std::min(best, once(work));
    return {{"cold", cold}, {"best", best}};
}

std::string words(std::mt19937& random, size_t bytes) {
    std::string out;
    while (out.size() < bytes) out += std::to_string(random()) + (random() % 9 == 0 ? " clock\n" : " ");
    return out;
}

// A picture that no other is equal to: decoders stop before what stands behind its end.
std::string picture(std::mt19937& random) {
    const MappedFile file = need(MappedFile::open(kPicture));
    const auto bytes = file.bytes();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) +
           words(random, kImageBytes - std::min(kImageBytes, bytes.size()));
}

// As ChatRunner keeps them: those of a question as it is rendered, of a reply what was drawn.
MessageIds idsOf(PromptBuilder& prompts, const SessionSettings& settings, const NewMessage& message) {
    if (message.role == Role::kAssistant) {
        MessageIds out{prompts.idsKey(settings), prompts.tokenizer().encode(message.text, SpecialTokens::kForbid)};
        out.ids.push_back(need(prompts.frame(settings))->end);
        return out;
    }
    const PromptMessage question{0, message.role, message.text, {}, {}, {}, std::nullopt};
    return {prompts.idsKey(settings), need(prompts.newPiece(settings, {}, question)).ids()};
}

Result<> fill(ChatDatabase& database, const SourceFiles& files) {
    std::mt19937 random(1);
    PromptBuilder prompts(need(Tokenizer::loadModelFolder(kModel)), need(mediaConfigOf(kModel)), files, database);
    SessionSettings settings;
    settings.thinking = Thinking::kOff;
    for (int s = 0; s < kSessions; ++s) {
        PAL_ASSIGN(const SessionId small, database.sessions().add("session " + std::to_string(s), "{}", s));
        NewMessage message;
        message.session = small;
        message.text = words(random, 200);
        PAL_ASSIGN(const MessageId id, database.messages().add(message));
        static_cast<void>(id);
    }
    PAL_ASSIGN(const SessionId large, database.sessions().add("large", settingsText(settings), kSessions));
    MessageId last = 0;
    for (int m = 0; m < kMessages; ++m) {
        NewMessage message;
        message.session = large;
        message.parent = last;
        message.role = m % 2 == 0 ? Role::kUser : Role::kAssistant;
        message.createdMs = kSessions + m;
        message.text = words(random, kTextBytes / kMessages);
        message.ids = idsOf(prompts, settings, message);
        if (m % 4 == 0 && m / 4 < kImages) {
            const std::string pixels = picture(random);
            PAL_ASSIGN(const SourceFiles::Kept kept, files.keepBytes(std::as_bytes(std::span(pixels))));
            PAL_ASSIGN(const SourceId source, database.sources().add(kept.sha256, kept.bytes, "image/png", 1));
            message.attachments.push_back({source, std::nullopt, AttachmentKind::kImage, "picture.png"});
            PAL_ASSIGN(const auto attachments, database.sources().attachments(message.attachments));
            const PromptMessage question{0, Role::kUser, message.text, {}, {}, attachments, std::nullopt};
            PAL_ASSIGN(const PromptBuilder::NewPiece piece, prompts.newPiece(settings, {}, question));
            message.ids->ids = piece.ids();
        }
        PAL_ASSIGN(last, database.messages().add(message));
    }
    return {};
}

// What the program does with the session before the model is asked.
void measureWorkplace(const fs::path& folder, const SourceFiles& files, const SessionSummary& large, Json& out) {
    WorkplaceOptions place;
    place.places = need(dataPlaces(folder));
    place.program = "chats_bench";
    const auto open = need(Workplace::open(place));
    need(open->loadModel(kModel, {}));
    int64_t tokens = 0;
    ChatDatabase& reader = open->library().reader();
    out["open"] = measure([&] {
        static_cast<void>(need(reader.messages().path(large.head)));
        static_cast<void>(need(reader.messages().tree(large.id)));
        tokens = need(open->runner().earlierTokens(large.id, large.head));
    });
    out["count"] = measure([&] { tokens = need(open->runner().earlierTokens(large.id, large.head)); });
    out["tokens"] = tokens;
    PromptBuilder prompts(need(Tokenizer::loadModelFolder(kModel)), need(mediaConfigOf(kModel)), files, reader);
    const SessionSettings settings = settingsFrom(large.settings);
    out["ask"] = measure([&] {
        const std::vector<PromptMessage> messages = need(prompts.load(large.head));
        tokens = std::ssize(need(prompts.prompt(settings, messages)).ids);
    });
    out["ask_tokens"] = tokens;
    need(open->close());
}

}  // namespace

int main(int argc, char** argv) {
    const fs::path folder = argc > 1 ? fs::path(argv[1]) : fs::temp_directory_path() / "pal-chats-bench";
    if (argc < 2) fs::remove_all(folder);
    const SourceFiles files = need(SourceFiles::open(folder / "sources"));
    const ChatOpenOptions options{ChatAccess::kOwner, folder / "backups", ""};
    Json out;
    if (!fs::exists(folder / "chats.db")) {
        auto database = need(ChatDatabase::open(folder / "chats.db", options));
        out["fill"] = once([&] { need(database.write([&](ChatDatabase& db) { return fill(db, files); })); });
        need(database.close());
    }
    out["database_bytes"] = fs::file_size(folder / "chats.db");
    std::optional<ChatDatabase> database;
    out["open_library"] = measure([&] {
        database.reset();
        database = need(ChatDatabase::open(folder / "chats.db", {ChatAccess::kReader, "", ""}));
    });
    std::vector<SessionSummary> sessions;
    out["list"] = measure([&] { sessions = need(database->sessions().list()); });
    out["sessions"] = sessions.size();
    const SessionSummary large = need(database->sessions().named("large")).at(0);
    std::vector<Message> path;
    out["open_session"] = measure([&] { path = need(database->messages().path(large.head)); });
    out["tree"] = measure([&] { static_cast<void>(need(database->messages().tree(large.id))); });
    out["ids"] = measure([&] {
        for (const Message& message : path) static_cast<void>(need(database->messages().ids(message.node.id)));
    });
    out["messages"] = path.size();
    out["search_indexed"] = measure([&] { static_cast<void>(need(database->search("clock 12345", 50))); });
    out["search_two_characters"] = measure([&] { static_cast<void>(need(database->search("k\n", 50))); });
    database.reset();
    auto owner = need(ChatDatabase::open(folder / "chats.db", options));
    out["send"] = measure([&] {
        NewMessage message;
        message.session = large.id;
        message.parent = large.head;
        message.text = "And now?";
        need(owner.write([&](ChatDatabase& db) { return db.messages().add(message); }));
    });
    need(owner.close());
    measureWorkplace(folder, files, large, out);
    std::printf("%s\n", out.dump(2).c_str());
    if (argc < 2) fs::remove_all(folder);
    return 0;
}
