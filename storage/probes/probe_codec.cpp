// SPDX-License-Identifier: Apache-2.0
#include "storage/probes/probe_codec.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pal {
namespace {

constexpr size_t kHeadBytes = 1 + sizeof(uint64_t);
constexpr int64_t kMostDecodedFloats = int64_t{16}
                                       << 20;  // 3 times what the largest published model with all regions has
constexpr double kSizeSteps = 65534.0 / 64;
constexpr float kEntropySteps = 2048;

uint16_t clampedCode(double code) {
    if (!(code > 0)) return 0;                                                      // NaN, too
    return static_cast<uint16_t>(static_cast<int>(std::min(code, 65535.0) + 0.5));  // std::round() is a call
}
uint16_t shareCode(float x) {
    return clampedCode(double{x} * 65535);
}
float shareOf(uint16_t code) {
    return static_cast<float>(code / 65535.0);
}
// Steps of 2^(1 / kSizeSteps) from 2^-32, which has code 1, to 2^32, which has 65535.
uint16_t sizeCode(float x) {
    if (!(x > 0)) return 0;
    return static_cast<uint16_t>(std::max<int>(1, clampedCode(1 + kSizeSteps * (std::log2(double{x}) + 32))));
}
// What each code means: a record has hundreds, and many records are read for one picture.
std::vector<float> sizesOfCodes() {
    std::vector<float> out{0};
    for (int code = 1; code <= 65535; ++code)
        out.push_back(static_cast<float>(std::exp2((code - 1) / kSizeSteps - 32)));
    return out;
}
float sizeOf(uint16_t code) {
    static const std::vector<float> kSizes = sizesOfCodes();
    return kSizes[code];
}
uint16_t entropyCode(float x) {
    return clampedCode(double{x} * kEntropySteps);
}
float entropyOf(uint16_t code) {
    return static_cast<float>(code) / kEntropySteps;
}

// A token has some thousand numbers, and one is written for every token of a reply: room is made for whole lists.
class Writer {
  public:
    Writer() { bytes_.reserve(4096); }
    template <typename T>
    void put(T value) {
        write(grow(sizeof(T)), value);
    }
    void count(size_t n) { put(static_cast<uint16_t>(n)); }
    template <typename T, typename Code>
    void list(const std::vector<T>& values, Code code) {
        using Stored = decltype(code(values[0]));
        count(values.size());
        std::byte* to = grow(values.size() * sizeof(Stored));
        for (const T& value : values) to = write(to, code(value));
    }
    [[nodiscard]] size_t size() const { return bytes_.size(); }
    void countAt(size_t place, size_t n) { write(bytes_.data() + place, static_cast<uint16_t>(n)); }
    std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::byte* grow(size_t bytes) {
        bytes_.resize(bytes_.size() + bytes);
        return bytes_.data() + bytes_.size() - bytes;
    }
    template <typename T>
    static std::byte* write(std::byte* to, T value) {
        std::memcpy(to, &value, sizeof(T));
        return to + sizeof(T);
    }

    std::vector<std::byte> bytes_;
};

// Reads what Writer wrote; after the end, or a count that cannot be, everything is 0 and ok() is false.
class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] bool atEnd() const { return ok_ && bytes_.empty(); }
    void refuse() {
        ok_ = false;
        bytes_ = {};
    }
    template <typename T>
    T get() {
        T value{};
        if (bytes_.size() < sizeof(T)) {
            refuse();
            return value;
        }
        std::memcpy(&value, bytes_.data(), sizeof(T));
        bytes_ = bytes_.subspan(sizeof(T));
        return value;
    }
    // A count of items that are stored in `itemBytes` each and take `floats` when read.
    size_t count(size_t itemBytes, int64_t floats = 1) {
        const auto n = get<uint16_t>();
        decoded_ += n * floats;
        if (n * itemBytes > bytes_.size() || decoded_ > kMostDecodedFloats) refuse();
        return ok_ ? n : 0;
    }
    // A list of items of `itemBytes` each; returns how many.
    size_t skip(size_t itemBytes) {
        const size_t n = count(itemBytes, 0);
        bytes_ = bytes_.subspan(ok_ ? n * itemBytes : 0);
        return n;
    }
    template <typename Stored, typename Value, typename Of>
    void values(std::vector<Value>& out, Of of) {
        const size_t n = count(sizeof(Stored));
        out.resize(n);
        for (size_t i = 0; i < n; ++i) {
            Stored stored;
            std::memcpy(&stored, bytes_.data() + i * sizeof stored, sizeof stored);
            out[i] = of(stored);
        }
        bytes_ = bytes_.subspan(n * sizeof(Stored));
    }

  private:
    std::span<const std::byte> bytes_;
    int64_t decoded_ = 0;
    bool ok_ = true;
};

void putGate(Writer& out, const GateProbe& gate) {
    out.list(gate.mean, shareCode);
    out.list(gate.closed, shareCode);
    out.list(gate.open, shareCode);
}
void getGate(Reader& in, GateProbe& gate) {
    in.values<uint16_t>(gate.mean, shareOf);
    in.values<uint16_t>(gate.closed, shareOf);
    in.values<uint16_t>(gate.open, shareOf);
    if (gate.closed.size() != gate.mean.size() || gate.open.size() != gate.mean.size()) in.refuse();
}

// [heads, regions] without what rounds to 0.
void putMass(Writer& out, const MlaProbe& mla) {
    const size_t heads = mla.sink.size();
    const size_t regions = heads > 0 ? mla.mass.size() / heads : 0;
    out.count(regions);
    for (size_t head = 0; head < heads; ++head) {
        const auto* mass = mla.mass.data() + head * regions;
        const size_t place = out.size();
        out.count(0);
        size_t seen = 0;
        for (size_t r = 0; r < regions; ++r) {
            const uint16_t code = shareCode(mass[r]);
            if (code == 0) continue;
            out.put(static_cast<uint16_t>(r));
            out.put(code);
            ++seen;
        }
        out.countAt(place, seen);
    }
}
void getMass(Reader& in, MlaProbe& mla) {
    const size_t heads = mla.sink.size();
    const size_t regions = in.count(0, static_cast<int64_t>(heads));
    mla.mass.assign(heads * regions, 0.0F);
    for (size_t head = 0; head < heads; ++head) {
        const size_t stored = in.count(2 * sizeof(uint16_t), 0);
        int64_t before = -1;
        for (size_t i = 0; i < stored && in.ok(); ++i) {
            const auto region = in.get<uint16_t>();
            const auto code = in.get<uint16_t>();
            if (region >= regions || region <= before || code == 0) return in.refuse();
            before = region;
            mla.mass[head * regions + region] = shareOf(code);
        }
    }
}

void putMla(Writer& out, const MlaProbe& mla) {
    out.list(mla.sink, shareCode);
    out.list(mla.entropy, entropyCode);
    putMass(out, mla);
    out.list(mla.topKey, [](int64_t key) { return static_cast<uint32_t>(key); });
    out.list(mla.topMass, shareCode);
    putGate(out, mla.gate);
}
void getMla(Reader& in, MlaProbe& mla) {
    in.values<uint16_t>(mla.sink, shareOf);
    in.values<uint16_t>(mla.entropy, entropyOf);
    getMass(in, mla);
    in.values<uint32_t>(mla.topKey, [](uint32_t key) { return int64_t{key}; });
    in.values<uint16_t>(mla.topMass, shareOf);
    getGate(in, mla.gate);
    if (mla.entropy.size() != mla.sink.size() || mla.topKey.size() != mla.topMass.size()) in.refuse();
}

void putLayer(Writer& out, const LayerProbe& layer) {
    out.list(layer.mixAttention, shareCode);
    out.list(layer.mixMlp, shareCode);
    out.list(layer.kda.halfLife, sizeCode);
    out.list(layer.kda.beta, shareCode);
    out.list(layer.kda.write, sizeCode);
    out.list(layer.kda.stateNorm, sizeCode);
    putGate(out, layer.kda.gate);
    putMla(out, layer.mla);
    out.list(layer.routing.expert, [](int32_t expert) { return static_cast<uint16_t>(expert); });
    out.list(layer.routing.weight, sizeCode);
    out.put(entropyCode(layer.routing.entropy));
}
void getLayer(Reader& in, LayerProbe& layer) {
    in.values<uint16_t>(layer.mixAttention, shareOf);
    in.values<uint16_t>(layer.mixMlp, shareOf);
    in.values<uint16_t>(layer.kda.halfLife, sizeOf);
    in.values<uint16_t>(layer.kda.beta, shareOf);
    in.values<uint16_t>(layer.kda.write, sizeOf);
    in.values<uint16_t>(layer.kda.stateNorm, sizeOf);
    getGate(in, layer.kda.gate);
    getMla(in, layer.mla);
    in.values<uint16_t>(layer.routing.expert, [](uint16_t expert) { return int32_t{expert}; });
    in.values<uint16_t>(layer.routing.weight, sizeOf);
    layer.routing.entropy = entropyOf(in.get<uint16_t>());
    const KdaProbe& kda = layer.kda;
    const auto fits = [](size_t count, size_t heads) { return count == 0 || count == heads; };
    if (layer.routing.weight.size() != layer.routing.expert.size() ||
        !fits(kda.halfLife.size(), kda.beta.size() * kProbeQuantiles) || !fits(kda.write.size(), kda.beta.size()) ||
        !fits(kda.stateNorm.size(), kda.beta.size())) {
        in.refuse();
    }
}

// What getLayer() reads.
void skipLayer(Reader& in) {
    constexpr int kListsBeforeMla = 9;  // of u16: two mixes, four of the rule, three of its gate
    for (int i = 0; i < kListsBeforeMla; ++i) in.skip(sizeof(uint16_t));
    const size_t heads = in.skip(sizeof(uint16_t));
    in.skip(sizeof(uint16_t));
    in.get<uint16_t>();  // regions
    for (size_t head = 0; head < heads; ++head) in.skip(2 * sizeof(uint16_t));
    in.skip(sizeof(uint32_t));
    constexpr int kListsBehindKeys = 6;  // of u16: their mass, three of the gate, two of the routing
    for (int i = 0; i < kListsBehindKeys; ++i) in.skip(sizeof(uint16_t));
    in.get<uint16_t>();
}

// Of `only` one layer, the others in `probe` stay as they are.
Result<> decode(std::span<const std::byte> record, std::optional<int64_t> only, TokenProbe& probe) {
    if (record.size() < kHeadBytes)
        return fail(ErrorCode::kCorrupt, "a record of {} bytes, the head alone has {}", record.size(), kHeadBytes);
    const auto version = static_cast<uint8_t>(record[0]);
    if (version != kProbeRecordVersion) {
        const ErrorCode code = version > kProbeRecordVersion ? ErrorCode::kUnsupported : ErrorCode::kCorrupt;
        return fail(code, "a record of version {}, this program knows {}", version, kProbeRecordVersion);
    }
    uint64_t checksum = 0;
    std::memcpy(&checksum, record.data() + 1, sizeof checksum);
    const auto body = record.subspan(kHeadBytes);
    if (XXH3_64bits(body.data(), body.size()) != checksum)
        return fail(ErrorCode::kCorrupt, "a record of {} bytes has another checksum", record.size());
    Reader in(body);
    probe.position = in.get<int64_t>();
    probe.token = in.get<int32_t>();
    probe.layers.resize(in.count(2));
    for (int64_t layer = 0; layer < std::ssize(probe.layers); ++layer) {
        if (!only || *only == layer) {
            getLayer(in, probe.layers[static_cast<size_t>(layer)]);
        } else {
            skipLayer(in);
        }
    }
    in.values<uint16_t>(probe.mixOutput, shareOf);
    probe.next.resize(in.count(sizeof(int32_t) + sizeof(float)));
    for (TokenAlternative& next : probe.next) {
        next.token = in.get<int32_t>();
        next.logProbability = in.get<float>();
    }
    probe.nextEntropy = in.get<float>();
    if (!in.atEnd() || probe.position < 0)
        return fail(ErrorCode::kCorrupt, "a record of {} bytes does not say what it should", record.size());
    return {};
}

}  // namespace

std::vector<std::byte> encodeProbe(const TokenProbe& probe) {
    Writer out;
    out.put(kProbeRecordVersion);
    out.put(uint64_t{0});
    out.put(probe.position);
    out.put(int32_t{probe.token});
    out.count(probe.layers.size());
    for (const LayerProbe& layer : probe.layers) putLayer(out, layer);
    out.list(probe.mixOutput, shareCode);
    out.count(probe.next.size());
    for (const TokenAlternative& next : probe.next) {
        out.put(int32_t{next.token});
        out.put(next.logProbability);
    }
    out.put(probe.nextEntropy);
    std::vector<std::byte> bytes = out.take();
    const uint64_t checksum = XXH3_64bits(bytes.data() + kHeadBytes, bytes.size() - kHeadBytes);
    std::memcpy(bytes.data() + 1, &checksum, sizeof checksum);
    return bytes;
}

Result<TokenProbe> decodeProbe(std::span<const std::byte> record) {
    TokenProbe probe;
    PAL_TRY(decode(record, std::nullopt, probe));
    return probe;
}

Result<const TokenProbe*> ProbeLayerDecoder::decode(std::span<const std::byte> record) {
    PAL_TRY(pal::decode(record, layer_, probe_));
    return &probe_;
}

int64_t mostRecordBytes(const ProbeDims& d) {
    constexpr int64_t kListsPerLayer = 20;  // counts of lists, two of them in putMass; and the routing's entropy
    constexpr int64_t kAlternatives = 5;
    const int64_t perKda = d.kdaHeads * (kProbeQuantiles + 3 + 3) * 2;
    const int64_t perMla = d.mlaHeads * (2 + 2 + 2 + 4 * d.regions) + d.topKeys * (4 + 2);
    return static_cast<int64_t>(kHeadBytes) + 8 + 4 + 2 + d.layers * kListsPerLayer * 2 + d.kdaLayers * perKda +
           d.mlaLayers * perMla + d.gatedMlaLayers * d.mlaHeads * 6 + d.mixtureLayers * d.expertsPerToken * 4 +
           d.mixWeights * 2 + 2 + 2 + kAlternatives * 8 + 4;
}

}  // namespace pal
