// SPDX-License-Identifier: Apache-2.0
// What a timeline holds after a stop, an exception or no memory in the middle of its work: what it computes next must be the same, bit for
// bit, as if nothing had happened.
#include "engine/exec/timeline.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

#include "engine/exec/local_session.h"
#include "tests/support/forwarding_backend.h"

namespace {

std::atomic<int64_t> allocationsUntilFailure = -1;  // below 0 none fails
std::atomic<int64_t> furtherFailures = 0;           // of the allocations right behind that one
thread_local bool allocationsCount = true;          // on this thread

}  // namespace

// Not inlined: the compiler would take new and free for a mismatch.
[[gnu::noinline]] void* operator new(size_t size) {
    if (allocationsCount && allocationsUntilFailure >= 0 && allocationsUntilFailure-- == 0) {
        if (furtherFailures > 0 && furtherFailures-- > 0) allocationsUntilFailure = 0;
        throw std::bad_alloc();
    }
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept {
    std::free(memory);
}

namespace pal {
namespace {

const char* const kModel = "tests/golden/tiny-k3/checkpoint";
constexpr int64_t kKdaLayers = 6;

// Calls a function before every KDA layer.
class WatchedBackend final : public ForwardingBackend {
  public:
    using ForwardingBackend::ForwardingBackend;
    void kdaMixer(const KdaMixerArgs& args) override {
        ++kdaCalls;
        if (beforeKda) beforeKda();
        ForwardingBackend::kdaMixer(args);
    }
    void visionAttention(const VisionAttentionArgs& args) override {
        ++attentionCalls;
        ForwardingBackend::visionAttention(args);
    }
    Buffer allocate(size_t bytes) override {
        if (*held + bytes > room) return {};
        auto inner = std::make_shared<Buffer>(ForwardingBackend::allocate(bytes));
        *held += bytes;
        most = std::max(most, *held);
        return {inner->data(), bytes, [inner, held = held](void*) {
                    *held -= inner->size();
                    inner->reset();
                }};
    }
    uint64_t freeBytes() override { return room - *held; }
    Buffer allocateHost(size_t bytes) override {
        ++hostAllocations;
        return ForwardingBackend::allocateHost(bytes);
    }
    uint64_t room = UINT64_MAX;  // bytes of the device's memory
    std::shared_ptr<uint64_t> held = std::make_shared<uint64_t>(0);
    uint64_t most = 0;
    std::function<void()> beforeKda;
    int64_t hostAllocations = 0;
    int64_t kdaCalls = 0;
    int64_t attentionCalls = 0;  // of the vision tower
};

class TimelineTest : public ::testing::Test {
  protected:
    TimelineTest() {
        auto backend = std::make_unique<WatchedBackend>(createCpuBackend({1, CpuIsa::kBest}).backend);
        backend_ = backend.get();
        runtime_ = std::move(Runtime::create(loadModel(kModel).value(), std::move(backend)).value());
        scratch_.emplace(*runtime_, 1U << 20);
    }

    [[nodiscard]] Timeline make() { return Timeline(*runtime_, *scratch_, {64, DType::kF32, 1U << 30}); }

    [[nodiscard]] CheckedPrompt prompt(int64_t tokens, std::vector<int64_t> boundaries = {}, int64_t changed = -1) {
        Prompt out{{}, {}, std::move(boundaries)};
        for (int64_t i = 0; i < tokens; ++i) out.ids.push_back(static_cast<TokenId>((37 * i + 11) % 500));
        if (changed >= 0) out.ids[static_cast<size_t>(changed)] = 7;
        return checkPrompt(std::move(out), *runtime_, 100000).value();
    }

    static Result<Timeline::Progress> sync(Timeline& timeline, const CheckedPrompt& prompt,
                                           const std::stop_token& stop = {}) {
        return timeline.sync(
            prompt, [](const Timeline::Progress&) {}, stop);
    }
    static std::vector<float> logits(const Timeline& timeline) {
        return {timeline.logits().begin(), timeline.logits().end()};
    }
    std::vector<float> freshLogits(const CheckedPrompt& prompt) {
        Timeline timeline = make();
        EXPECT_TRUE(sync(timeline, prompt).has_value());
        return logits(timeline);
    }

    WatchedBackend* backend_ = nullptr;
    std::unique_ptr<Runtime> runtime_;
    std::optional<TimelineScratch> scratch_;
};

TEST_F(TimelineTest, AStopInsideAStepIsUndone) {
    const CheckedPrompt whole = prompt(200);
    const std::vector<float> want = freshLogits(whole);
    Timeline timeline = make();
    std::stop_source stop;
    backend_->kdaCalls = 0;
    backend_->beforeKda = [&] {
        if (backend_->kdaCalls == kKdaLayers + 3) stop.request_stop();  // in the second chunk
    };
    const auto stopped = sync(timeline, whole, stop.get_token());
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
    EXPECT_EQ(backend_->kdaCalls, kKdaLayers + 3) << "three layers of the chunk have changed their state";
    EXPECT_EQ(timeline.position(), 64);
    const auto done = sync(timeline, whole);
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(done->reused, 64);
    EXPECT_EQ(logits(timeline), want);
}

// Locking memory of the host waits for the device, and a GPU's step is made anew for other addresses.
TEST_F(TimelineTest, GoingBackTakesTheMemoryOfLogitsThatIsThere) {
    const CheckedPrompt whole = prompt(100);
    Timeline timeline = make();
    ASSERT_TRUE(sync(timeline, whole).has_value());
    ASSERT_TRUE(timeline.append(5).has_value());
    const std::vector<float> want = logits(timeline);
    const int64_t before = backend_->hostAllocations;
    ASSERT_EQ(sync(timeline, whole).value().reused, 100) << "from the checkpoint";
    ASSERT_TRUE(timeline.append(5).has_value());
    EXPECT_EQ(logits(timeline), want);
    EXPECT_EQ(backend_->hostAllocations, before);
}

TEST_F(TimelineTest, AnExceptionInsideAStepIsUndone) {
    const CheckedPrompt whole = prompt(200);
    const std::vector<float> want = freshLogits(whole);
    Timeline timeline = make();
    backend_->kdaCalls = 0;
    backend_->beforeKda = [&] {
        if (backend_->kdaCalls == kKdaLayers + 3) throw std::bad_alloc();
    };
    EXPECT_THROW(static_cast<void>(sync(timeline, whole)), std::bad_alloc);
    EXPECT_EQ(timeline.position(), 64);
    ASSERT_TRUE(sync(timeline, whole).has_value());
    EXPECT_EQ(logits(timeline), want);
}

TEST_F(TimelineTest, AnExceptionInsideAReplyCostsOnlyTheLiveState) {
    const CheckedPrompt whole = prompt(100);
    Timeline timeline = make();
    ASSERT_TRUE(sync(timeline, whole).has_value());
    ASSERT_TRUE(timeline.append(5).has_value());
    const std::vector<float> want = logits(timeline);
    ASSERT_TRUE(sync(timeline, whole).has_value());
    backend_->kdaCalls = 0;
    backend_->beforeKda = [&] {
        if (backend_->kdaCalls == 2) throw std::bad_alloc();
    };
    EXPECT_THROW(static_cast<void>(timeline.append(5)), std::bad_alloc);
    EXPECT_EQ(timeline.position(), 0);
    const auto again = sync(timeline, whole);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->reused, 100) << "from the checkpoint";
    ASSERT_TRUE(timeline.append(5).has_value());
    EXPECT_EQ(logits(timeline), want);
}

// Lets every seventh allocation of a read and a reply fail, one per round.
TEST_F(TimelineTest, NoFailedAllocationSpoilsWhatComesNext) {
    const CheckedPrompt begin = prompt(64);
    const CheckedPrompt whole = prompt(150);
    Timeline calm = make();
    ASSERT_TRUE(sync(calm, whole).has_value());
    const std::vector<float> afterPrompt = logits(calm);
    ASSERT_TRUE(calm.append(5).has_value());
    const std::vector<float> afterReply = logits(calm);

    int failures = 0;
    for (int64_t allocation = 0;; allocation += 7) {
        Timeline timeline = make();
        ASSERT_TRUE(sync(timeline, begin).has_value());
        bool failed = false;
        allocationsUntilFailure = allocation;
        try {
            failed = !sync(timeline, whole).has_value() || !timeline.append(5).has_value();
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        const bool ranOut = allocationsUntilFailure.exchange(-1) < 0;
        if (!failed && !ranOut) break;
        failures += failed ? 1 : 0;
        ASSERT_TRUE(sync(timeline, whole).has_value());
        ASSERT_EQ(logits(timeline), afterPrompt) << "allocation " << allocation;
        ASSERT_TRUE(timeline.append(5).has_value());
        ASSERT_EQ(logits(timeline), afterReply) << "allocation " << allocation;
    }
    EXPECT_GT(failures, 10);
}

TEST_F(TimelineTest, AnEditThatIsCancelledAtOnceCostsNothing) {
    const CheckedPrompt original = prompt(700, {300, 500});
    const CheckedPrompt edited = prompt(700, {300, 500}, 450);
    const std::vector<float> want = freshLogits(original);
    Timeline timeline = make();
    ASSERT_TRUE(sync(timeline, original).has_value());
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(sync(timeline, edited, stop.get_token()).has_value());
    EXPECT_EQ(sync(timeline, original).value().computed, 0);
    EXPECT_EQ(logits(timeline), want);

    EXPECT_EQ(sync(timeline, edited).value().reused, 384);
    EXPECT_EQ(logits(timeline), freshLogits(edited));
    EXPECT_EQ(sync(timeline, original).value().reused, 384) << "the branch that was read is the timeline now";
    EXPECT_EQ(logits(timeline), want);
}

// They only save work: a context that just fits the memory fits beside them as well.
TEST_F(TimelineTest, CheckpointsGiveWayWhenMemoryIsShort) {
    std::vector<int64_t> boundaries;
    for (int64_t end = 40; end < 1000; end += 40) boundaries.push_back(end);
    const CheckedPrompt begin = prompt(500, boundaries);
    const CheckedPrompt whole = prompt(1000, boundaries);
    const auto readAndReply = [&](uint64_t checkpointBytes, std::vector<float>& last) {
        Timeline timeline(*runtime_, *scratch_, {64, DType::kF32, checkpointBytes});
        Result<> done = sync(timeline, begin).map([](const auto&) {});
        if (done) done = sync(timeline, whole).map([](const auto&) {});
        for (int reply = 0; done && reply < 100; ++reply) done = timeline.append(5).map([](const auto&) {});
        last = logits(timeline);
        return std::pair(done, timeline.checkpoints().count());
    };
    std::vector<float> want;
    backend_->most = 0;
    ASSERT_TRUE(readAndReply(0, want).first.has_value());
    const uint64_t needed = backend_->most;

    std::vector<float> all;
    EXPECT_GE(readAndReply(1U << 30, all).second, boundaries.size());
    EXPECT_GT(backend_->most, needed) << "they would take more";

    backend_->room = needed;
    std::vector<float> bounded;
    const auto [done, kept] = readAndReply(1U << 30, bounded);
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_LT(kept, boundaries.size());
    EXPECT_EQ(bounded, all);

    backend_->room = needed - 1;
    EXPECT_EQ(readAndReply(1U << 30, bounded).first.error().code, ErrorCode::kOutOfMemory) << "nothing else gives way";
}

TEST_F(TimelineTest, TimelinesMayShareScratchMemory) {
    const CheckedPrompt one = prompt(150);
    const CheckedPrompt two = prompt(150, {}, 3);
    Timeline a = make();
    Timeline b = make();
    ASSERT_TRUE(sync(a, prompt(64)).has_value());
    ASSERT_TRUE(sync(b, two).has_value());
    ASSERT_TRUE(sync(a, one).has_value());
    EXPECT_EQ(logits(a), freshLogits(one));
    EXPECT_EQ(logits(b), freshLogits(two));
}

// The engine thread reports every failed allocation and goes on.
TEST(EngineMemory, ARequestWithoutMemoryEndsAndTheNextOneWorks) {
    EngineOptions options;
    options.threads = 1;
    options.chunkTokens = 64;
    const auto engine = std::move(loadEngine(kModel, options).value());
    const auto run = [&](Session& session) {
        Prompt prompt;
        prompt.ids.assign(20, 9);
        const RequestId request = session.sync(prompt).value();
        while (true) {
            session.wait({});
            for (const Event& event : session.drain()) {
                const auto* done = std::get_if<RequestDone>(&event);
                if (done != nullptr && done->request == request) return *done;
            }
        }
    };
    allocationsCount = false;
    int failures = 0;
    for (int64_t allocation = 0; allocation < 120; allocation += 3) {
        const auto session = std::move(engine->openSession({}).value());
        allocationsUntilFailure = allocation;
        const RequestDone done = run(*session);
        allocationsUntilFailure = -1;
        if (done.cause == EndCause::kFailed) {
            ++failures;
            EXPECT_EQ(done.error.value().code, ErrorCode::kOutOfMemory) << "allocation " << allocation;
        }
        EXPECT_EQ(run(*session).cause, EndCause::kPromptDone) << "allocation " << allocation;
    }
    allocationsCount = true;
    EXPECT_GT(failures, 10);
}

// The first allocation of the engine's thread is the request's own place.
TEST(EngineMemory, RequestsThatFindNoMemoryToBeginWaitForIt) {
    EngineOptions options;
    options.threads = 1;
    const auto engine = std::move(loadEngine(kModel, options).value());
    std::vector<std::unique_ptr<Session>> sessions;
    std::vector<Prompt> prompts(3);
    for (Prompt& prompt : prompts) {
        sessions.push_back(std::move(engine->openSession({}).value()));
        prompt.ids.assign(20, 9);
    }
    allocationsCount = false;
    furtherFailures = 6;
    allocationsUntilFailure = 0;
    for (size_t i = 0; i < sessions.size(); ++i) ASSERT_TRUE(sessions[i]->sync(std::move(prompts[i])).has_value());
    for (const auto& session : sessions) {
        std::optional<EndCause> end;
        while (!end) {
            session->wait({});
            for (const Event& event : session->drain()) {
                if (const auto* done = std::get_if<RequestDone>(&event)) end = done->cause;
            }
        }
        EXPECT_EQ(end, EndCause::kPromptDone);
    }
    EXPECT_EQ(furtherFailures, 0) << "seven allocations had failed";
    allocationsUntilFailure = -1;
    allocationsCount = true;
}

// Whoever takes events may run out of memory for the records of looks: what else happened arrives, in its order.
TEST(EngineMemory, NothingButLooksIsLostWhenEventsAreTaken) {
    const auto layout = std::make_shared<ProbeLayout>();
    layout->layers.resize(3);
    const std::array<SentEvent, 3> sent{TokenGenerated{1, 7, 0, 0},
                                        SentProbe{1, {TokenProbe{}, ProbedStep(layout, nullptr)}}, RequestDone{}};
    int failures = 0, looks = 0;
    for (int64_t allocation = 0; allocation < 8; ++allocation) {
        SessionLink link(8, {});
        ASSERT_EQ(link.trySend(sent, {}), sent.size());
        std::vector<Event> events;
        allocationsUntilFailure = allocation;
        try {
            events = link.drain();
        } catch (const std::bad_alloc&) {
            ++failures;
        }
        allocationsUntilFailure = -1;
        if (events.empty()) events = link.drain();
        ASSERT_GE(events.size(), 2U) << "allocation " << allocation;
        EXPECT_TRUE(std::holds_alternative<TokenGenerated>(events.front()));
        EXPECT_TRUE(std::holds_alternative<RequestDone>(events.back()));
        looks += events.size() == 3 ? 1 : 0;
        EXPECT_TRUE(link.drain().empty());
    }
    EXPECT_EQ(failures, 2) << "the two lists of events";
    EXPECT_GT(looks, failures) << "looks arrive once there is memory for them";
    EXPECT_LT(looks, 8) << "there was no memory for some";
}

TEST_F(TimelineTest, AMediumGoesThroughTheTowerOnce) {
    const auto withPicture = [&](float tint, TokenId question) {
        auto picture = std::make_shared<MediaInput>(MediaInput{1, 4, 6, {}});
        for (int i = 0; i < 24 * 588; ++i) picture->patches.push_back(tint * static_cast<float>(i % 13 - 6) / 6);
        return checkPrompt({{1, question, 503, 503, 503, 503, 503, 503, 9}, {std::move(picture)}, {}}, *runtime_,
                           100000)
            .value();
    };
    Timeline first = make();
    ASSERT_TRUE(sync(first, withPicture(1, 2)).has_value());
    const int64_t once = backend_->attentionCalls;
    ASSERT_GT(once, 0);
    Timeline second = make();
    ASSERT_TRUE(sync(second, withPicture(1, 3)).has_value());
    EXPECT_EQ(backend_->attentionCalls, once) << "another session, another question, the same picture";
    const std::vector<float> cached = logits(second);
    ASSERT_TRUE(sync(second, withPicture(0.5F, 3)).has_value());
    EXPECT_EQ(backend_->attentionCalls, 2 * once);
    EXPECT_EQ(scratch_->media.size(), 2U);
    scratch_->media = MediaCache(0);
    EXPECT_EQ(cached, freshLogits(withPicture(1, 3)));
    EXPECT_EQ(scratch_->media.size(), 0U) << "no room, nothing kept";
}

TEST_F(TimelineTest, PatchesThatAreMadeLaterAreMadeOnceForAContent) {
    int made = 0;
    const auto withPicture = [&](const std::string& content, TokenId question) {
        const auto make = [&made, content](const std::stop_token&) -> Result<std::vector<float>> {
            ++made;
            return std::vector<float>(24 * 588, content == "a" ? 0.5F : -0.5F);
        };
        auto later = std::make_shared<const LaterPatches>(LaterPatches{content, make});
        auto picture = std::make_shared<MediaInput>(MediaInput{1, 4, 6, {}, std::move(later)});
        return checkPrompt({{1, question, 503, 503, 503, 503, 503, 503, 9}, {std::move(picture)}, {}}, *runtime_,
                           100000)
            .value();
    };
    Timeline first = make();
    ASSERT_TRUE(sync(first, withPicture("a", 2)).has_value());
    const int64_t once = backend_->attentionCalls;
    Timeline second = make();
    ASSERT_TRUE(sync(second, withPicture("a", 3)).has_value());
    EXPECT_EQ(made, 1) << "neither decoded";
    EXPECT_EQ(backend_->attentionCalls, once) << "nor computed again";
    ASSERT_TRUE(sync(second, withPicture("b", 3)).has_value());
    EXPECT_EQ(made, 2) << "another content is another picture";
}

}  // namespace
}  // namespace pal
