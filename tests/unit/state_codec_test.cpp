// SPDX-License-Identifier: Apache-2.0
#include "engine/state/state_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "engine/base/byte_hash.h"
#include "engine/state/prefix_hash.h"
#include "kernels/api/bf16.h"
#include "tests/support/contains.h"
#include "tests/support/forwarding_backend.h"

namespace pal {
namespace {

// K != V and odd sizes, so that a swapped dimension shows.
StateLayout oddLayout(DType tail = DType::kF32, DType latent = DType::kF32) {
    StateLayout layout;
    layout.kdaLayers = 2;
    layout.heads = 3;
    layout.valueDim = 5;
    layout.keyDim = 7;
    layout.tailRows = 3;
    layout.tail = tail;
    layout.mlaLayers = 2;
    layout.latentRank = 9;
    layout.latentRope = 2;
    layout.latent = latent;
    return layout;
}

constexpr size_t kHeaderBytes = 104;

class StateCodecTest : public ::testing::Test {
  protected:
    StateCodecTest() : backend_(createCpuBackend({1, CpuIsa::kBest}).backend) {}

    static void fill(void* data, DType dtype, int64_t elements, uint64_t salt) {
        for (int64_t i = 0; i < elements; ++i) {
            const auto value =
                static_cast<float>(static_cast<double>(splitmix64(salt + static_cast<uint64_t>(i))) / 1e19 - 0.9);
            if (dtype == DType::kF32) {
                static_cast<float*>(data)[i] = value;
            } else {
                static_cast<uint16_t*>(data)[i] = toBf16(value);
            }
        }
    }
    static float valueAt(const void* data, DType dtype, int64_t i) {
        if (dtype == DType::kF32) return static_cast<const float*>(data)[i];
        const uint32_t bits = static_cast<uint32_t>(static_cast<const uint16_t*>(data)[i]) << 16;
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }

    SequenceState make(const StateLayout& layout, int64_t tokens) {
        SequenceState state = std::move(SequenceState::create(*backend_, layout).value());
        EXPECT_TRUE(state.reserve(tokens).has_value());
        return state;
    }
    SequenceState random(const StateLayout& layout, int64_t tokens) {
        SequenceState state = make(layout, tokens);
        for (int64_t l = 0; l < layout.kdaLayers; ++l) {
            fill(state.kdaState(l).data, DType::kF32, state.kdaState(l).elements(), 100 + static_cast<uint64_t>(l));
            fill(state.convTail(l).data, layout.tail, state.convTail(l).elements(), 2000 + static_cast<uint64_t>(l));
        }
        for (int64_t l = 0; l < layout.mlaLayers; ++l) {
            for (size_t page = 0; page < state.latents(l).pages.size(); ++page)
                fill(state.latents(l).pages[page], layout.latent, 64 * 11,
                     10000 + static_cast<uint64_t>(l) * 777 + page * 31);
        }
        state.advance(tokens);
        return state;
    }
    // Latents and tails may be of other types; bf16 of a value then.
    static void expectSame(const SequenceState& a, const SequenceState& b) {
        const auto compare = [](const void* x, DType xType, const void* y, DType yType, int64_t elements) {
            for (int64_t i = 0; i < elements; ++i) {
                float want = valueAt(x, xType, i);
                if (xType == DType::kF32 && yType == DType::kBF16) {
                    const uint16_t rounded = toBf16(want);
                    want = valueAt(&rounded, DType::kBF16, 0);
                }
                ASSERT_EQ(want, valueAt(y, yType, i)) << i;
            }
        };
        ASSERT_EQ(a.position(), b.position());
        for (int64_t l = 0; l < a.layout().kdaLayers; ++l) {
            compare(a.kdaState(l).data, DType::kF32, b.kdaState(l).data, DType::kF32, a.kdaState(l).elements());
            compare(a.convTail(l).data, a.layout().tail, b.convTail(l).data, b.layout().tail, a.convTail(l).elements());
        }
        for (int64_t l = 0; l < a.layout().mlaLayers; ++l) {
            for (int64_t row = 0; row < a.position(); ++row) {
                const auto page = static_cast<size_t>(row / kLatentPageTokens);
                const auto at = [&](const SequenceState& s) {
                    const size_t bytes =
                        static_cast<size_t>(row % kLatentPageTokens) * 11 * dtypeBytes(s.layout().latent);
                    return static_cast<const std::byte*>(s.latents(l).pages[page]) + bytes;
                };
                compare(at(a), a.layout().latent, at(b), b.layout().latent, 11);
            }
        }
    }
    SequenceState decode(const ByteBuffer& pages, const ByteBuffer& checkpoint, const StateLayout& layout,
                         int64_t tokens, std::vector<float>* logits = nullptr) {
        SequenceState out = make(layout, tokens);
        EXPECT_TRUE(decodePages(pages.span(), *backend_, out, 0, 128).has_value());
        auto read = decodeCheckpoint(checkpoint.span(), *backend_, out);
        EXPECT_TRUE(read.has_value());
        if (logits != nullptr) *logits = std::move(*read);
        out.advance(tokens);
        return out;
    }
    ByteBuffer changed(const ByteBuffer& bytes, size_t at, std::byte value) {
        ByteBuffer out(bytes.size());
        std::memcpy(out.data(), bytes.span().data(), bytes.size());
        out.data()[at] = value;
        return out;
    }

    std::unique_ptr<Backend> backend_;
};

TEST_F(StateCodecTest, AStateComesBackBitForBitInEveryNumberType) {
    const std::vector<float> logits{1.5F, -0.0F, std::nanf("7")};
    for (const DType tail : {DType::kF32, DType::kBF16}) {
        for (const DType latent : {DType::kF32, DType::kBF16}) {
            const StateLayout layout = oddLayout(tail, latent);
            const SequenceState state = random(layout, 205);
            const ByteBuffer pages = encodePages(*backend_, state, 0, 128);
            const ByteBuffer checkpoint = encodeCheckpoint(*backend_, state, logits, 128);
            const auto info = inspectCheckpoint(checkpoint.span(), layout);
            ASSERT_TRUE(info.has_value());
            EXPECT_EQ(info->begin, 128);
            EXPECT_EQ(info->end, 205);
            EXPECT_EQ(info->logits, 3);
            std::vector<float> read;
            expectSame(state, decode(pages, checkpoint, layout, 205, &read));
            ASSERT_EQ(read.size(), logits.size());
            EXPECT_EQ(std::memcmp(read.data(), logits.data(), logits.size() * sizeof(float)), 0);
        }
    }
}

// Counts the blocks that it gives, and may refuse them.
class CountingBackend final : public ForwardingBackend {
  public:
    CountingBackend() : ForwardingBackend(createCpuBackend({1, CpuIsa::kBest}).backend) {}
    Buffer allocateHost(size_t bytes) override {
        if (refuses) return {};
        ++blocks;
        return ForwardingBackend::allocateHost(bytes);
    }
    int blocks = 0;
    bool refuses = false;
};

TEST_F(StateCodecTest, HostBlocksAreUsedAgainAndMayOutliveTheirBackend) {
    auto backend = std::make_unique<CountingBackend>();
    auto blocks = std::make_unique<HostBlocks>(*backend, size_t{16} << 20);
    const auto use = [&](size_t size) {
        ByteBuffer bytes = blocks->take(size);
        EXPECT_EQ(bytes.size(), size);
        std::memset(bytes.data(), 7, size);
        return bytes;
    };
    use(5 << 20);
    use(6 << 20);
    use(4 << 20);
    use(1000);  // ordinary memory
    EXPECT_EQ(backend->blocks, 1) << "one block of 8 MiB serves all, one after the other";
    {
        const ByteBuffer first = use(4 << 20);
        const ByteBuffer second = use(4 << 20);
        EXPECT_NE(first.span().data(), second.span().data());
        EXPECT_EQ(backend->blocks, 2);
    }
    use(4 << 20);
    EXPECT_EQ(backend->blocks, 2) << "the smaller one fits";
    use(12 << 20);
    EXPECT_EQ(backend->blocks, 3) << "no block is large enough";
    use(20 << 20);
    EXPECT_EQ(backend->blocks, 3) << "over the limit, ordinary memory serves";
    {
        const ByteBuffer held = use(12 << 20);
        use(8 << 20);
        EXPECT_EQ(backend->blocks, 3) << "blocks in use count, too";
    }
    use(12 << 20);
    EXPECT_EQ(backend->blocks, 3) << "what came back serves again";
    use(4 << 20);
    use(16 << 20);
    EXPECT_EQ(backend->blocks, 5) << "free blocks of other sizes make room";
    backend->refuses = true;
    use(4 << 20);
    EXPECT_EQ(backend->blocks, 5) << "ordinary memory serves where there is no block";
    backend->refuses = false;
    ByteBuffer last = use(5 << 20);
    blocks.reset();
    backend.reset();
    std::thread([kept = std::move(last)]() mutable { kept = {}; }).join();
}

TEST_F(StateCodecTest, BytesInABlockAreTheSame) {
    CountingBackend backend;
    HostBlocks blocks(backend);
    StateLayout layout = oddLayout();
    layout.latentRank = 4096;
    const SequenceState state = random(layout, 205);
    const ByteBuffer pages = encodePages(*backend_, state, 0, 192);
    const ByteBuffer checkpoint = encodeCheckpoint(*backend_, state, {}, 0);
    for (int round = 0; round < 2; ++round) {
        const ByteBuffer block = encodePages(*backend_, state, 0, 192, &blocks);
        EXPECT_TRUE(std::ranges::equal(block.span(), pages.span()));
        const ByteBuffer other = encodeCheckpoint(*backend_, state, {}, 0, &blocks);
        EXPECT_TRUE(std::ranges::equal(other.span(), checkpoint.span()));
    }
    EXPECT_EQ(backend.blocks, 2);
}

TEST_F(StateCodecTest, AnotherBackendsNumberTypesAreConverted) {
    for (const DType from : {DType::kF32, DType::kBF16}) {
        const DType to = from == DType::kF32 ? DType::kBF16 : DType::kF32;
        const SequenceState state = random(oddLayout(from, from), 205);
        const ByteBuffer pages = encodePages(*backend_, state, 0, 128);
        const ByteBuffer checkpoint = encodeCheckpoint(*backend_, state, {}, 128);
        expectSame(state, decode(pages, checkpoint, oddLayout(to, to), 205));
    }
}

TEST_F(StateCodecTest, TruncatedAndExtendedBytesAreRefused) {
    const StateLayout layout = oddLayout();
    const SequenceState state = random(layout, 70);
    const ByteBuffer whole = encodeCheckpoint(*backend_, state, {}, 64);
    for (size_t size = 0; size < whole.size(); ++size) {
        const auto info = inspectCheckpoint(whole.span().first(size), layout);
        ASSERT_FALSE(info.has_value()) << size;
        ASSERT_EQ(info.error().code, ErrorCode::kFormat);
    }
    ByteBuffer longer(whole.size() + 1);
    std::memcpy(longer.data(), whole.span().data(), whole.size());
    EXPECT_FALSE(inspectCheckpoint(longer.span(), layout).has_value());
}

TEST_F(StateCodecTest, EveryChangedByteOfTheHeaderIsRefusedOrChangesNothingElse) {
    const StateLayout layout = oddLayout();
    const SequenceState state = random(layout, 70);
    const ByteBuffer whole = encodeCheckpoint(*backend_, state, {}, 64);
    int refused = 0;
    for (size_t at = 0; at < kHeaderBytes; ++at) {
        for (const int flip : {1, 0x80, 0xff}) {
            const ByteBuffer bad = changed(whole, at, whole.span()[at] ^ std::byte(flip));
            const auto info = inspectCheckpoint(bad.span(), layout);
            if (!info.has_value()) {
                ++refused;
                continue;
            }
            // Begin and end moved together would name other rows: the caller compares them.
            EXPECT_TRUE(info->begin != 64 || info->end != 70) << at;
        }
    }
    EXPECT_GT(refused, 250);
}

TEST_F(StateCodecTest, ErrorsSayWhatDiffers) {
    const SequenceState state = random(oddLayout(), 70);
    const ByteBuffer whole = encodeCheckpoint(*backend_, state, {}, 64);
    StateLayout other = oddLayout();
    other.heads = 4;
    const auto conflict = inspectCheckpoint(whole.span(), other);
    ASSERT_FALSE(conflict.has_value());
    EXPECT_EQ(conflict.error().code, ErrorCode::kConflict);
    EXPECT_TRUE(test::contains(conflict.error().message, "3 heads, the model has 4"));
    const auto newer = inspectCheckpoint(changed(whole, 8, std::byte{9}).span(), oddLayout());
    ASSERT_FALSE(newer.has_value());
    EXPECT_EQ(newer.error().code, ErrorCode::kUnsupported);
    SequenceState target = make(oddLayout(), 128);
    const ByteBuffer pages = encodePages(*backend_, state, 0, 64);
    const auto shifted = decodePages(pages.span(), *backend_, target, 64, 128);
    ASSERT_FALSE(shifted.has_value());
    EXPECT_TRUE(test::contains(shifted.error().message, "0 to 64"));
}

TEST(PrefixHash, IsTheSameHoweverItIsReached) {
    std::vector<uint64_t> ids;
    for (uint64_t i = 0; i < 1000; ++i) ids.push_back(splitmix64(i) % 500);
    PrefixHasher ascending;
    std::vector<Hash128> names;
    for (int64_t n = 0; n <= 1000; n += 50) names.push_back(ascending.at(ids, n));
    for (int64_t n = 1000; n >= 0; n -= 50) {
        EXPECT_EQ(PrefixHasher().at(ids, n), names[static_cast<size_t>(n / 50)]);
        EXPECT_EQ(ascending.at(ids, n), names[static_cast<size_t>(n / 50)]) << "backwards";
    }
    std::vector<uint64_t> other = ids;
    other[500] ^= 1;
    PrefixHasher changed;
    EXPECT_EQ(changed.at(other, 500), names[10]);
    for (int64_t n = 550; n <= 1000; n += 50) EXPECT_NE(changed.at(other, n), names[static_cast<size_t>(n / 50)]);
}

}  // namespace
}  // namespace pal
