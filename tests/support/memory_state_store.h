// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/api/state_store.h"

namespace pal {

// A store in memory whose disk can be full; one thread writes at a time. As the real one it does not keep what continues something that is not there.
class MemoryStore final : public StateStore {
  public:
    std::vector<int64_t> checkpointPositions(const Hash128& family, int64_t upTo) override {
        std::vector<int64_t> out;
        for (const auto& [name, part] : parts_) {
            if (part.id.family == family && part.id.part == StatePart::kCheckpoint && part.id.tokens <= upTo)
                out.push_back(part.id.tokens);
        }
        std::sort(out.rbegin(), out.rend());
        return out;
    }
    bool read(const StateId& id, ByteBuffer& bytes) override {
        ++reads;
        const auto found = parts_.find(nameOf(id));
        if (found == parts_.end()) return false;
        bytes.resizeDiscarding(found->second.bytes.size());
        std::memcpy(bytes.data(), found->second.bytes.data(), bytes.size());
        return true;
    }
    bool contains(const StateId& id) override { return parts_.contains(nameOf(id)); }
    uint64_t bytesToRead(const StateId& checkpoint) override { return contains(checkpoint) ? 1 : 0; }
    void write(StateWrite part) override {
        ++writes;
        bytesWritten += part.bytes.size();
        const bool continues = !part.pages || contains({part.id.family, *part.pages, 0, StatePart::kPages});
        if (!full && continues) parts_.insert_or_assign(nameOf(part.id), std::move(part));
    }
    void flush() override {}
    std::optional<Error> takeProblem() override { return std::nullopt; }

    [[nodiscard]] size_t parts() const { return parts_.size(); }
    void clear() { parts_.clear(); }

    bool full = false;
    std::atomic<int64_t> reads = 0;  // also of parts that are not there; several threads read
    int64_t writes = 0;
    uint64_t bytesWritten = 0;

  private:
    using Name = std::tuple<Hash128, Hash128, StatePart>;
    static Name nameOf(const StateId& id) { return {id.family, id.prefix, id.part}; }
    std::map<Name, StateWrite> parts_;
};

}  // namespace pal
