// SPDX-License-Identifier: Apache-2.0
// Threads that read parts of a state meet what the engine's thread would report: here it only costs the state.
#include "engine/exec/parts_ahead.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <new>

#include "engine/api/state_store.h"
#include "tests/support/sanitizer.h"

namespace pal {
namespace {

// Parts of one byte, their number; there is no memory for one of them.
class NarrowStore final : public StateStore {
  public:
    explicit NarrowStore(int64_t tooLarge) : tooLarge_(tooLarge) {}
    bool read(const StateId& id, ByteBuffer& bytes) override {
        if (id.tokens == tooLarge_) throw std::bad_alloc();
        bytes.resizeDiscarding(1);
        bytes.span()[0] = static_cast<std::byte>(id.tokens);
        return true;
    }
    std::vector<int64_t> checkpointPositions(const Hash128&, int64_t) override { return {}; }
    bool contains(const StateId&) override { return true; }
    uint64_t bytesToRead(const StateId&) override { return 1; }
    void write(StateWrite) override {}
    void flush() override {}
    std::optional<Error> takeProblem() override { return std::nullopt; }

  private:
    int64_t tooLarge_;
};

std::vector<StateId> parts(int64_t count) {
    std::vector<StateId> out;
    for (int64_t i = 0; i < count; ++i) out.push_back({{}, {}, i, StatePart::kPages});
    return out;
}

// How many come, in order.
int64_t taken(PartsAhead& ahead) {
    int64_t count = 0;
    for (const ByteBuffer* part = ahead.next(); part != nullptr; part = ahead.next(), ++count)
        EXPECT_EQ(part->span()[0], static_cast<std::byte>(count));
    return count;
}

TEST(PartsAhead, APartWithoutMemoryIsNotThere) {
    for (const int64_t tooLarge : {0, 1, 5, 11}) {
        NarrowStore store(tooLarge);
        PartsAhead ahead(store, parts(12));
        EXPECT_EQ(taken(ahead), tooLarge);
    }
    NarrowStore store(-1);
    PartsAhead ahead(store, parts(12));
    EXPECT_EQ(taken(ahead), 12);
}

// A stack that no address space holds: the system refuses every thread.
TEST(PartsAhead, WithoutThreadsNothingIsThere) {
    if (test::kSanitized) GTEST_SKIP() << "the sanitizers choose the stacks of threads themselves";
    pthread_attr_t before{};
    ASSERT_EQ(pthread_getattr_default_np(&before), 0);
    pthread_attr_t huge{};
    ASSERT_EQ(pthread_attr_init(&huge), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&huge, size_t{1} << 50), 0);
    ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
    {
        NarrowStore store(-1);
        PartsAhead ahead(store, parts(12));
        EXPECT_EQ(ahead.next(), nullptr);
    }
    ASSERT_EQ(pthread_setattr_default_np(&before), 0);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&before);
    NarrowStore store(-1);
    PartsAhead ahead(store, parts(12));
    EXPECT_EQ(taken(ahead), 12);
}

}  // namespace
}  // namespace pal
