// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace pal::cpu {

// Scratch memory of one thread: grows on demand and is kept, so that a call of a size seen before allocates nothing. Use it through ArenaScope. On a
// cache line of its own: every task of a loop moves its thread's mark.
class alignas(64) Arena {
  public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    Arena(Arena&&) = default;
    Arena& operator=(Arena&&) = default;

  private:
    friend class ArenaScope;

    struct Release {
        void operator()(std::byte* data) const;
    };
    struct Block {
        std::unique_ptr<std::byte, Release> data;
        size_t size = 0;
    };
    struct Mark {
        size_t block = 0;
        size_t used = 0;
    };

    void* allocate(size_t bytes);
    void release(Mark mark);
    void addBlock(size_t bytes);

    std::vector<Block> blocks_;
    Mark top_;
};

// Takes arrays from an arena and gives them back when it ends. Scopes of one arena nest.
class ArenaScope {
  public:
    explicit ArenaScope(Arena& arena) : arena_(arena), mark_(arena.top_) {}
    ArenaScope(const ArenaScope&) = delete;
    ArenaScope& operator=(const ArenaScope&) = delete;
    ~ArenaScope() { arena_.release(mark_); }

    // `count` uninitialised elements of a trivial type, 64-byte aligned, valid until the scope ends.
    template <typename T>
    [[nodiscard]] T* array(size_t count) {
        return static_cast<T*>(arena_.allocate(count * sizeof(T)));
    }

  private:
    Arena& arena_;
    Arena::Mark mark_;
};

}  // namespace pal::cpu
