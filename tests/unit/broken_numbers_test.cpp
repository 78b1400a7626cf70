// SPDX-License-Identifier: Apache-2.0
// A model whose numbers break down: one clear error, and nothing broken stays behind.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "engine/api/engine.h"
#include "engine/base/mapped_file.h"
#include "engine/model/safetensors.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

namespace fs = std::filesystem;

// Overwrites the first two bytes of a row of a bfloat16 matrix in the folder's shards with a NaN.
void breakRow(const fs::path& folder, const std::string& tensor, int64_t row) {
    for (const auto& file : fs::directory_iterator(folder)) {
        if (file.path().extension() != ".safetensors") continue;
        const auto mapped = MappedFile::open(file.path());
        ASSERT_TRUE(mapped.has_value());
        const auto header = parseSafetensors(mapped->bytes(), file.path().string());
        ASSERT_TRUE(header.has_value());
        for (const SafetensorsEntry& entry : header->entries) {
            if (entry.name != tensor) continue;
            const uint64_t rowBytes = (entry.end - entry.begin) / static_cast<uint64_t>(entry.shape[0]);
            std::fstream out(file.path(), std::ios::binary | std::ios::in | std::ios::out);
            out.seekp(
                static_cast<std::streamoff>(header->dataStart + entry.begin + rowBytes * static_cast<uint64_t>(row)));
            const std::array<char, 2> nan{'\xc0', '\x7f'};
            out.write(nan.data(), nan.size());
            return;
        }
    }
    FAIL() << tensor << " not found";
}

RequestDone waitForEnd(Session& session) {
    while (true) {
        session.wait({});
        for (const Event& event : session.drain()) {
            if (const auto* done = std::get_if<RequestDone>(&event)) return *done;
        }
    }
}

TEST(BrokenNumbers, AreOneErrorAndLeaveNoState) {
    const test::TempFolder folder;
    fs::copy("tests/golden/tiny-linear/checkpoint", folder.path(), fs::copy_options::recursive);
    breakRow(folder.path(), "lm_head.weight", 3);
    EngineOptions options;
    options.threads = 1;
    auto engine = loadEngine(folder.path(), options);
    ASSERT_TRUE(engine.has_value()) << engine.error().message;
    auto session = std::move((*engine)->openSession({}).value());
    const Prompt prompt{{1, 2, 3, 4, 5}, {}, {}};
    for (int attempt = 0; attempt < 2; ++attempt) {
        ASSERT_TRUE(session->generate(prompt, {}, {4, {}}).has_value());
        const RequestDone done = waitForEnd(*session);
        EXPECT_EQ(done.cause, EndCause::kFailed);
        EXPECT_EQ(done.generated, 0);
        EXPECT_EQ(done.position, 0) << "the state must be gone";
        ASSERT_TRUE(done.error.has_value());
        EXPECT_NE(done.error->message.find("token 3 is nan"), std::string::npos) << done.error->message;
    }
}

}  // namespace
}  // namespace pal
