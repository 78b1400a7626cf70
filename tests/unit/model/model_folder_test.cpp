// SPDX-License-Identifier: Apache-2.0
// Folders as people have them: indexed shards, the Hugging Face cache, half a download, broken links.
#include "engine/model/model_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "engine/api/model_files.h"
#include "engine/model/json_file.h"
#include "engine/model/weight_binding.h"
#include "tests/support/checkpoint.h"
#include "tests/support/contains.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::TempFolder;
using test::writeText;

const fs::path kTinyK3 = "tests/golden/tiny-k3/checkpoint";

void copyModel(const fs::path& to) {
    fs::copy(kTinyK3, to, fs::copy_options::recursive);
}

std::string loadError(const fs::path& path) {
    const auto model = loadModel(path);
    EXPECT_FALSE(model.has_value());
    return model.has_value() ? "" : model.error().message;
}

// Renames the two shards in the file system and the index.
void renameShards(const fs::path& folder, const std::string& first, const std::string& second) {
    nlohmann::json index = readJsonFile(folder / "model.safetensors.index.json").value();
    for (auto& [tensor, file] : index["weight_map"].items())
        file = file == "model-00001-of-00002.safetensors" ? first : second;
    fs::rename(folder / "model-00001-of-00002.safetensors", folder / first);
    fs::rename(folder / "model-00002-of-00002.safetensors", folder / second);
    writeText(folder / "model.safetensors.index.json", index.dump());
}

TEST(ModelFolder, DigitsOfTheNumbersMayDiffer) {
    const TempFolder folder;
    copyModel(folder.path());
    renameShards(folder.path(), "model-00001-of-000002.safetensors", "model-00002-of-000002.safetensors");
    const auto model = loadModel(folder.path());
    ASSERT_TRUE(model.has_value()) << model.error().message;
    EXPECT_EQ(model->store.shards().size(), 2U);
    fs::remove(folder / "model.safetensors.index.json");
    EXPECT_TRUE(loadModel(folder.path()).has_value());
}

TEST(ModelFolder, HuggingFaceCacheEntry) {
    const TempFolder cache;
    const fs::path entry = cache / "models--moonshotai--Tiny";
    const fs::path snapshot = entry / "snapshots" / "0123abcd";
    fs::create_directories(entry / "blobs");
    fs::create_directories(entry / "refs");
    fs::create_directories(snapshot);
    int number = 0;
    for (const auto& file : fs::directory_iterator(kTinyK3)) {
        const std::string blob = "blob" + std::to_string(number++);
        fs::copy_file(file.path(), entry / "blobs" / blob);
        fs::create_symlink(fs::path("../../blobs") / blob, snapshot / file.path().filename());
    }
    writeText(entry / "refs" / "main", "0123abcd\n");
    const auto byEntry = loadModel(entry);
    ASSERT_TRUE(byEntry.has_value()) << byEntry.error().message;
    EXPECT_EQ(findModel(entry)->root, snapshot);
    EXPECT_TRUE(loadModel(snapshot).has_value());

    // A blob that was cleaned away.
    const fs::path shard = snapshot / "model-00002-of-00002.safetensors";
    fs::remove(snapshot / fs::read_symlink(shard));
    EXPECT_TRUE(contains(loadError(entry), "shard model-00002-of-00002.safetensors is a link to ../../blobs/"));

    writeText(entry / "refs" / "main", "../../elsewhere");
    EXPECT_TRUE(contains(loadError(entry), "'../../elsewhere' is not the name of a snapshot"));
    writeText(entry / "refs" / "main", "ffff");
    EXPECT_TRUE(contains(loadError(entry), "names the snapshot ffff, which is not in"));
}

TEST(ModelFolder, ACacheEntryWithoutRefsHasOneSnapshot) {
    const TempFolder entry;
    fs::create_directories(entry / "snapshots");
    EXPECT_TRUE(contains(loadError(entry.path()), "there is no snapshot"));
    copyModel(entry / "snapshots/0123abcd");
    EXPECT_EQ(findModel(entry.path())->root, entry / "snapshots/0123abcd");
    fs::create_directories(entry / "snapshots/ffff");
    EXPECT_TRUE(contains(loadError(entry.path()), "refs/main is missing beside 2 snapshots"));
    EXPECT_TRUE(contains(loadError(entry.path()), "0123abcd, ffff"));
}

// Where the files are is known without reading any of them.
TEST(ModelFolder, IsFoundWhateverIsInIt) {
    const TempFolder folder;
    EXPECT_EQ(findModelFolder(folder.path()), folder.path());
    writeText(folder / "config.json", "not JSON");
    EXPECT_EQ(findModelFolder(folder / "config.json"), folder.path());
    EXPECT_EQ(findModelFolder(folder / "nowhere").error().code, ErrorCode::kNotFound);
}

TEST(ModelFolder, MissingShardsAreNamed) {
    const TempFolder folder;
    copyModel(folder.path());
    fs::remove(folder / "model-00001-of-00002.safetensors");
    fs::remove(folder / "model-00002-of-00002.safetensors");
    const std::string byIndex = loadError(folder.path());
    EXPECT_TRUE(contains(byIndex, "2 problems"));
    EXPECT_TRUE(contains(byIndex, "shard model-00001-of-00002.safetensors is missing"));
    EXPECT_TRUE(contains(byIndex, "shard model-00002-of-00002.safetensors is missing"));
    // Without the index the numbering tells.
    fs::remove(folder / "model.safetensors.index.json");
    fs::copy_file(kTinyK3 / "model-00002-of-00002.safetensors", folder / "model-00002-of-000003.safetensors");
    const std::string byNumber = loadError(folder.path());
    EXPECT_TRUE(contains(byNumber, "shard model-00001-of-000003.safetensors is missing"));
    EXPECT_TRUE(contains(byNumber, "shard model-00003-of-000003.safetensors is missing"));
}

TEST(ModelFolder, LinksThatLeadNowhereAreTold) {
    const TempFolder folder;
    copyModel(folder.path());
    fs::remove(folder / "model-00001-of-00002.safetensors");
    fs::create_symlink("model-00001-of-00002.safetensors", folder / "model-00001-of-00002.safetensors");
    EXPECT_TRUE(contains(loadError(folder.path()), "shard model-00001-of-00002.safetensors is a link to"));
    fs::create_directory_symlink("loop", folder / "loop");
    EXPECT_TRUE(contains(loadError(folder / "loop"), "loop: is a link to loop that cannot be followed"));
    fs::remove(folder / "config.json");
    fs::create_symlink("config.json", folder / "config.json");
    EXPECT_TRUE(contains(loadError(folder.path()), "config.json: is a link to"));
}

TEST(ModelFolder, WhatIsNotAModelIsTold) {
    const TempFolder folder;
    EXPECT_TRUE(contains(loadError(folder / "nowhere"), "no such file or folder"));
    EXPECT_TRUE(contains(loadError(folder.path()), "config.json: is missing"));
    fs::copy_file(kTinyK3 / "config.json", folder / "config.json");
    EXPECT_TRUE(contains(loadError(folder.path()), "there are no weights"));
    EXPECT_TRUE(contains(loadError(folder / "config.json"), "there are no weights"));
    writeText(folder / "model.gguf", "x");
    EXPECT_EQ(findModel(folder / "model.gguf").error().code, ErrorCode::kInvalidArgument);
}

TEST(ModelFolder, ABadIndexIsRefused) {
    const TempFolder folder;
    copyModel(folder.path());
    const fs::path index = folder / "model.safetensors.index.json";
    writeText(index, R"({"metadata": {}})");
    EXPECT_TRUE(contains(loadError(folder.path()), "weight_map is missing"));
    writeText(index, R"({"weight_map": {}})");
    EXPECT_EQ(findModel(folder.path()).error().code, ErrorCode::kFormat);
    EXPECT_TRUE(contains(loadError(folder.path()), "weight_map is empty"));
    writeText(index, R"({"weight_map": {"a": "../../etc/passwd"}})");
    EXPECT_TRUE(contains(loadError(folder.path()), "tensor 'a' a value that is not a file name"));
    writeText(index, std::string(200, '{'));
    EXPECT_TRUE(contains(loadError(folder.path()), "index.json"));
    fs::remove(index);
    ASSERT_EQ(mkfifo(index.c_str(), 0600), 0);  // must not wait for a writer
    EXPECT_TRUE(contains(loadError(folder.path()), "index.json: not a regular file"));
    fs::remove(index);
    writeText(index, "");
    EXPECT_TRUE(contains(loadError(folder.path()), "the file is empty"));
}

TEST(ModelFolder, IndexAndHeadersMustAgree) {
    const TempFolder folder;
    copyModel(folder.path());
    nlohmann::json index = readJsonFile(folder / "model.safetensors.index.json").value();
    index["weight_map"]["ghost"] = "model-00001-of-00002.safetensors";
    index["weight_map"]["language_model.lm_head.weight"] = "model-00002-of-00002.safetensors";
    writeText(folder / "model.safetensors.index.json", index.dump());
    const std::string error = loadError(folder.path());
    EXPECT_TRUE(contains(error, "tensor 'ghost' is in no shard"));
    EXPECT_TRUE(contains(error, "lm_head.weight' is in model-00001-of-00002.safetensors, the index says model-00002"));
}

TEST(ModelFolder, NotesAreBounded) {
    const TempFolder folder;
    copyModel(folder.path());
    writeText(folder / "model.safetensors.index.json",
              R"({"weight_map": {"language_model.lm_head.weight": "model-00001-of-00002.safetensors"}})");
    const auto found = findModel(folder.path());
    ASSERT_TRUE(found.has_value());
    const auto store = WeightStore::open(*found);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    EXPECT_EQ(store->warnings().size(), 11U);
    EXPECT_TRUE(contains(store->warnings().back(), "more notes"));
}

// What failed decides the code: a file that may not be read is not a broken one.
TEST(ModelFolder, ErrorCodesTellWhatFailed) {
    const TempFolder folder;
    copyModel(folder.path());
    ModelFolder found = findModel(folder.path()).value();
    fs::remove(found.shards[0]);
    EXPECT_EQ(findModel(folder.path()).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(WeightStore::open(found).error().code, ErrorCode::kNotFound);
    found.shards.erase(found.shards.begin());
    fs::permissions(found.shards[0], fs::perms::none);
    if (geteuid() != 0) {  // root may read everything
        EXPECT_EQ(WeightStore::open(found).error().code, ErrorCode::kIo);
    }
    fs::permissions(found.shards[0], fs::perms::owner_all);
    fs::resize_file(found.shards[0], 5);
    EXPECT_EQ(WeightStore::open(found).error().code, ErrorCode::kFormat);
}

TEST(ModelFolder, ATensorInTwoShardsIsAnError) {
    const TempFolder folder;
    copyModel(folder.path());
    fs::remove(folder / "model.safetensors.index.json");
    fs::remove(folder / "model-00002-of-00002.safetensors");
    fs::copy_file(folder / "model-00001-of-00002.safetensors", folder / "model-00002-of-00002.safetensors");
    EXPECT_TRUE(contains(loadError(folder.path()), "lm_head.weight' is in model-0000"));
}

TEST(ModelFolder, TruncatedShardsAreAllNamed) {
    const TempFolder folder;
    copyModel(folder.path());
    fs::resize_file(folder / "model-00001-of-00002.safetensors", 3'000'000);
    fs::resize_file(folder / "model-00002-of-00002.safetensors", 1000);
    const std::string error = loadError(folder.path());
    EXPECT_TRUE(contains(error, "model-00001-of-00002.safetensors: "));
    EXPECT_TRUE(contains(error, "but the file has"));
    EXPECT_TRUE(contains(error, "model-00002-of-00002.safetensors: announces a header of"));
    fs::resize_file(folder / "model-00002-of-00002.safetensors", 0);
    EXPECT_TRUE(contains(loadError(folder.path()), "the file is empty"));
}

}  // namespace
}  // namespace pal
