// SPDX-License-Identifier: Apache-2.0
// Which experts a load leaves in RAM, and what it says when that fails. The device is a CPU that keeps book.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "engine/exec/host_ram.h"
#include "engine/exec/runtime.h"
#include "tests/support/forwarding_backend.h"

namespace pal {
namespace {

const char* const kModel = "tests/golden/tiny-k3/checkpoint";

struct Book {
    std::vector<const void*> kept;       // first matrices of the layers
    std::set<const void*> brought;       // weights that went to the device
    KernelStatus answer;                 // of keepOnHost()
    std::function<void()> whileKeeping;  // may be empty
};

class BookKeeper final : public ForwardingBackend {
  public:
    explicit BookKeeper(Book& book) : ForwardingBackend(createCpuBackend({1, CpuIsa::kBest}).backend), book_(book) {}

    uint64_t freeBytes() override { return uint64_t{1} << 40; }
    WeightView importWeight(const WeightView& host) override {
        book_.brought.insert(host.data);
        return host;
    }
    KernelStatus keepOnHost(std::span<ExpertWeights> experts, const std::function<bool(uint64_t)>& placed) override {
        book_.kept.push_back(experts.front().gate.data);
        if (book_.whileKeeping) book_.whileKeeping();
        uint64_t bytes = 0;
        for (const ExpertWeights& e : experts)
            bytes += static_cast<uint64_t>(e.gate.bytes() + e.up.bytes() + e.down.bytes());
        static_cast<void>(placed(bytes));
        return book_.answer;
    }

  private:
    Book& book_;
};

std::vector<const BoundMixture*> mixtures(const BoundModel& model) {
    std::vector<const BoundMixture*> out;
    for (const BoundLayer& layer : model.layers) {
        if (const auto* moe = std::get_if<BoundMixture>(&layer.feedForward)) out.push_back(moe);
    }
    return out;
}

TEST(ExpertPlacement, OnlyThoseOfTheChosenLayersStayInRam) {
    const BoundModel model = loadModel(kModel).value();
    const auto layers = mixtures(model);
    std::vector<bool> inRam;
    for (size_t i = 0; i < layers.size(); ++i) inRam.push_back(i % 3 == 1);
    Book book;
    BookKeeper backend(book);
    LoadProgress last;
    const LoadWatch watch{[&](const LoadProgress& progress) { last = progress; }, {}};
    ASSERT_TRUE(importWeights(model, backend, watch, inRam).has_value());
    size_t kept = 0;
    for (size_t i = 0; i < layers.size(); ++i) {
        const void* first = layers[i]->experts.front().gate.data;
        EXPECT_EQ(book.brought.contains(first), !inRam[i]) << i;
        EXPECT_EQ(book.brought.contains(layers[i]->experts.back().down.data), !inRam[i]) << i;
        EXPECT_TRUE(book.brought.contains(layers[i]->router.data)) << i;
        EXPECT_TRUE(book.brought.contains(layers[i]->shared->gate.data)) << i;
        if (!inRam[i]) continue;
        EXPECT_EQ(book.kept.at(kept++), first) << i;
    }
    EXPECT_EQ(book.kept.size(), kept);
    EXPECT_GT(kept, 1U);
    EXPECT_EQ(last.doneBytes, last.totalBytes);
}

TEST(ExpertPlacement, AFailureIsTheErrorAndEndsTheLoad) {
    const BoundModel model = loadModel(kModel).value();
    Book book;
    book.answer = {KernelStatus::Code::kOutOfMemory, "page-locking 12345 bytes: out of memory"};
    BookKeeper backend(book);
    const auto loaded = importWeights(model, backend, {}, std::vector<bool>(mixtures(model).size(), true));
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, ErrorCode::kOutOfMemory);
    EXPECT_NE(loaded.error().message.find("12345"), std::string::npos);
    EXPECT_EQ(book.kept.size(), 1U);
}

TEST(ExpertPlacement, StopsWhenItIsTold) {
    const BoundModel model = loadModel(kModel).value();
    std::stop_source stop;
    Book book;
    book.whileKeeping = [&] { stop.request_stop(); };
    BookKeeper backend(book);
    const auto loaded =
        importWeights(model, backend, {{}, stop.get_token()}, std::vector<bool>(mixtures(model).size(), true));
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, ErrorCode::kCancelled);
    EXPECT_EQ(book.kept.size(), 1U);
}

// Pages come as tokens do: room for the longest session that a model allows would push experts out that most sessions could have kept.
TEST(ExpertPlacement, RoomIsKeptForTheSessionsThatAreWantedOrUsual) {
    const BoundModel model = loadModel(kModel).value();
    Book book;
    BookKeeper backend(book);
    EngineOptions options;
    EXPECT_TRUE(planFor(model, options, backend)->inRam.empty());  // a CPU
    options.device = Device::kCuda;
    const auto limit = static_cast<uint64_t>(model.plan.config.text.contextLimit);
    const uint64_t ofToken = planFor(model, options, backend)->latentBytes / std::min(limit, kPlannedContext);
    EXPECT_EQ(ofToken, 3U * (512 + 64) * 4);  // of three layers, float32
    options.contextTokens = 100;
    EXPECT_EQ(planFor(model, options, backend)->latentBytes, 100 * ofToken);
    options.ramLayers = 2;
    EXPECT_EQ(planFor(model, options, backend)->ramLayers, 2);
}

TEST(ExpertPlacement, ACpuKeepsNothingApart) {
    std::vector<ExpertWeights> experts(1);
    const auto cpu = createCpuBackend({1, CpuIsa::kBest}).backend;
    EXPECT_EQ(cpu->keepOnHost(experts, [](uint64_t) { return true; }).code, KernelStatus::Code::kInvalid);
    EXPECT_EQ(cpu->linkBytes(), 0U);
    EXPECT_FALSE(cpu->markTime());
}

TEST(HostRam, IsWhatTheSystemSaysWithinItsControlGroup) {
    std::istringstream meminfo("MemTotal:       24090140 kB\nMemFree:        1000 kB\nMemAvailable:   20000 kB\n");
    EXPECT_EQ(availableOfMachine(meminfo), 20000U << 10);
    std::istringstream odd("MemTotal: 5 kB\n");
    EXPECT_FALSE(availableOfMachine(odd).has_value());
    std::istringstream limit("1000000\n");
    std::istringstream statistics("anon 400000\nfile 500000\n");
    EXPECT_EQ(availableOfGroup(limit, statistics), 600000U);
    std::istringstream none("max\n");
    std::istringstream same("anon 400000\n");
    EXPECT_FALSE(availableOfGroup(none, same).has_value());
    std::istringstream small("100\n");
    std::istringstream more("anon 400\n");
    EXPECT_EQ(availableOfGroup(small, more), 0U);
    EXPECT_GT(availableRam(), 0U);
}

}  // namespace
}  // namespace pal
