// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/state_archive.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "engine/base/byte_hash.h"
#include "tests/support/forwarding_backend.h"
#include "tests/support/memory_state_store.h"

namespace pal {
namespace {

constexpr int64_t kGroup = 512;
constexpr int64_t kGroups = 40;

// A device that one transfer does not reach, which finish() tells.
class DeafBackend final : public ForwardingBackend {
  public:
    // The transfer is the one after `before` others.
    explicit DeafBackend(int64_t before)
        : ForwardingBackend(createCpuBackend({1, CpuIsa::kBest}).backend), before_(before) {}
    void uploadAll(std::span<const Upload> pieces) override {
        if (before_-- == 0) {
            failed_ = true;
        } else {
            ForwardingBackend::uploadAll(pieces);
        }
    }
    KernelStatus finish() override {
        if (!std::exchange(failed_, false)) return ForwardingBackend::finish();
        return {KernelStatus::Code::kInvalid, "upload on a test device: invalid argument"};
    }

  private:
    int64_t before_;
    bool failed_ = false;
};

// A sequence that grows, and what is stored of it.
class Reading {
  public:
    Reading()
        : backend_(createCpuBackend({1, CpuIsa::kBest}).backend),
          archive_(store, {{1, 2}, {}}, *backend_, layout()),
          state_(SequenceState::create(*backend_, layout()).value()) {
        for (int64_t i = 0; i < (kGroups + 2) * kGroup; ++i) ids_.push_back(splitmix64(static_cast<uint64_t>(i)));
    }

    static StateLayout layout() {
        StateLayout out;
        out.kdaLayers = 1;
        out.heads = 1;
        out.valueDim = 16;
        out.keyDim = 16;
        out.tailRows = 3;
        out.mlaLayers = 2;
        out.latentRank = 24;
        out.latentRope = 8;
        return out;
    }
    // As reading a prompt does: a step, then what is due.
    void step(int64_t tokens) {
        ASSERT_TRUE(state_.reserve(tokens).has_value());
        const auto first = static_cast<size_t>(state_.position() / kLatentPageTokens);
        for (int64_t layer = 0; layer < layout().mlaLayers; ++layer) {
            const auto pages = state_.latents(layer).pages;
            for (size_t page = first; page < pages.size(); ++page)
                std::memset(pages[page], static_cast<int>(page) % 251, layout().layerPageBytes());
        }
        state_.advance(tokens);
        archive_.savePages(state_, ids_);
        if (archive_.checkpointDue(state_.position()))
            archive_.saveCheckpoint(state_, ids_, {}, StateArchive::Keep::kUntilNext);
    }
    void end() { archive_.saveCheckpoint(state_, ids_, std::vector<float>(7, 1.0F), StateArchive::Keep::kLasting); }
    void expectFound(int64_t tokens) { expectFound(tokens, *backend_); }
    void expectFound(int64_t tokens, Backend& backend) { expectFoundOf(tokens, tokens, backend); }
    // Of a prompt of `prompt` tokens the state of the first `tokens`.
    void expectFoundOf(int64_t prompt, int64_t tokens) { expectFoundOf(prompt, tokens, *backend_); }
    void expectFoundOf(int64_t prompt, int64_t tokens, Backend& backend) {
        StateArchive reader(store, {{1, 2}, {}}, backend, layout());
        const auto found = reader.find(std::span(ids_).first(static_cast<size_t>(prompt)), 1);
        ASSERT_TRUE(found.has_value() && *found);
        EXPECT_EQ((*found)->state.position(), tokens);
        for (int64_t layer = 0; layer < layout().mlaLayers; ++layer) {
            const auto want = state_.latents(layer).pages, got = (*found)->state.latents(layer).pages;
            for (int64_t page = 0; page < tokens / kLatentPageTokens; ++page) {
                const auto at = static_cast<size_t>(page);
                ASSERT_EQ(std::memcmp(want[at], got[at], layout().layerPageBytes()), 0) << layer << " " << page;
            }
        }
    }

    // Nothing is found where a transfer failed, it is told, and the next search is not troubled by it.
    void expectLostOnTheWay(int64_t tokens, Backend& backend) {
        StateArchive reader(store, {{1, 2}, {}}, backend, layout());
        const auto found = reader.find(std::span(ids_).first(static_cast<size_t>(tokens)), 1);
        ASSERT_TRUE(found.has_value());
        EXPECT_FALSE(found->has_value());
        const auto problem = reader.takeProblem();
        ASSERT_TRUE(problem.has_value());
        EXPECT_NE(problem->message.find("invalid argument"), std::string::npos) << problem->message;
        expectFound(tokens, backend);
    }

    // A checkpoint of another sequence of the same model.
    void addOther(int64_t tokens) {
        StateWrite part;
        part.id = {{1, 2}, {splitmix64(static_cast<uint64_t>(tokens)), 7}, tokens, StatePart::kCheckpoint};
        part.bytes = ByteBuffer(100);
        store.write(std::move(part));
    }

    void goOn() { archive_.goBack(state_.position()); }

    MemoryStore store;

  private:
    std::unique_ptr<Backend> backend_;
    StateArchive archive_;
    SequenceState state_;
    std::vector<uint64_t> ids_;
};

TEST(StateArchive, WhatCouldNotBeStoredFollowsOnceThereIsRoom) {
    Reading reading;
    for (int64_t i = 0; i < kGroups; ++i) {
        reading.store.full = i >= 10 && i < 20;
        reading.step(kGroup);
    }
    reading.step(100);
    reading.end();
    reading.expectFound(kGroups * kGroup + 100);
}

TEST(StateArchive, ADiskThatStaysFullDoublesTheWorkAtMost) {
    Reading stored;
    for (int64_t i = 0; i < kGroups; ++i) stored.step(kGroup);
    Reading full;
    full.store.full = true;
    for (int64_t i = 0; i < kGroups; ++i) full.step(kGroup);
    EXPECT_GT(full.store.bytesWritten, 0U);
    EXPECT_LE(full.store.bytesWritten, 2 * stored.store.bytesWritten);
    full.end();
    full.store.full = false;
    full.step(kGroup);
    full.end();
    full.expectFound((kGroups + 1) * kGroup);
}

TEST(StateArchive, WhileAReplyGrowsAFullDiskIsTriedOnceAGroup) {
    Reading reading;
    reading.store.full = true;
    reading.step(4 * kGroup);
    const int64_t before = reading.store.writes;
    for (int64_t i = 0; i < kGroup - 1; ++i) reading.step(1);
    EXPECT_LE(reading.store.writes - before, 2);
}

TEST(StateArchive, AGroupThatOthersNeededTheRoomOfIsStoredAgain) {
    Reading reading;
    for (int64_t i = 0; i < 6; ++i) reading.step(kGroup);
    reading.end();
    reading.store.clear();
    reading.goOn();
    reading.step(kGroup);
    reading.end();
    reading.expectFound(7 * kGroup);
}

// A library of many sessions has checkpoints everywhere below the end of a long prompt.
TEST(StateArchive, CheckpointsOfOtherSequencesCostNoReading) {
    Reading reading;
    reading.step(2 * kGroup);
    reading.end();
    for (int64_t tokens = 2 * kGroup; tokens < 4 * kGroup; tokens += 10) reading.addOther(tokens);
    reading.expectFoundOf(4 * kGroup - 1, 2 * kGroup);
    EXPECT_EQ(reading.store.reads, 1 + 2) << "the checkpoint and its groups";
}

TEST(StateArchive, AStateThatDidNotReachTheDeviceIsNotFound) {
    constexpr int64_t kFew = 3;
    Reading reading;
    reading.step(kFew * kGroup + 100);
    reading.end();
    for (int64_t transfer = 0; transfer <= kFew; ++transfer) {  // of the checkpoint, then of its groups
        DeafBackend backend(transfer);
        reading.expectLostOnTheWay(kFew * kGroup + 100, backend);
    }
}

}  // namespace
}  // namespace pal
