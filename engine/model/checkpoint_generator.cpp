// SPDX-License-Identifier: Apache-2.0
#include "engine/model/checkpoint_generator.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/file_writer.h"
#include "engine/model/compute_ahead.h"
#include "engine/model/layer_plan.h"
#include "engine/model/model_config.h"
#include "engine/model/safetensors.h"
#include "engine/model/tensor_draw.h"
#include "kernels/api/tensor_view.h"

namespace pal {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr uint64_t kBlockBytes = 8ULL << 20;

// One tensor to store.
struct DrawnTensor {
    std::string name;
    TensorShape shape;
    TensorDraw draw;
    [[nodiscard]] uint64_t bytes() const { return shape.elements() * storageBytes(draw.type); }
};

std::vector<DrawnTensor> listTensors(const LayerPlan& plan) {
    std::vector<DrawnTensor> out;
    for (const TensorSpec& spec : plan.tensors) {
        for (int64_t copy = 0; copy < spec.copies; ++copy) {
            const std::string name = spec.nameOf(copy);
            if (!spec.packedInPlan) {
                out.push_back({name, spec.shape, drawFor(spec, plan.config)});
                continue;
            }
            const std::string stem = name.substr(0, name.size() - std::string_view(".weight").size());
            const int64_t rows = spec.shape[0];
            const int64_t columns = spec.shape[1];
            TensorDraw packed{TensorDraw::Rule::kPackedValues, StorageType::kU8};
            out.push_back({stem + ".weight_packed", {rows, columns / 2}, packed});
            packed.rule = TensorDraw::Rule::kPackedScales;
            out.push_back({stem + ".weight_scale", {rows, columns / kMxfp4Group}, packed});
        }
    }
    return out;
}

// Cuts the list where a shard would exceed the limit; graph order stays.
std::vector<std::vector<DrawnTensor>> splitIntoShards(std::vector<DrawnTensor> tensors, uint64_t limit) {
    std::vector<std::vector<DrawnTensor>> shards(1);
    uint64_t filled = 0;
    for (DrawnTensor& tensor : tensors) {
        const uint64_t bytes = tensor.bytes();
        if (!shards.back().empty() && filled + bytes > limit) {
            shards.emplace_back();
            filled = 0;
        }
        filled += bytes;
        shards.back().push_back(std::move(tensor));
    }
    return shards;
}

std::string shardName(size_t index, size_t count) {
    return count == 1 ? "model.safetensors" : fmt::format("model-{:05}-of-{:05}.safetensors", index + 1, count);
}

// A run of elements of one tensor; a block of the file is several of them.
struct Piece {
    const DrawnTensor* tensor = nullptr;
    uint64_t firstElement = 0;
    uint64_t bytes = 0;
};
using Block = std::vector<Piece>;

std::vector<Block> cutIntoBlocks(const std::vector<const DrawnTensor*>& inFileOrder) {
    std::vector<Block> blocks(1);
    uint64_t room = kBlockBytes;
    for (const DrawnTensor* tensor : inFileOrder) {
        const uint64_t size = tensor->bytes();
        for (uint64_t at = 0; at < size;) {
            const uint64_t width = storageBytes(tensor->draw.type);
            const uint64_t bytes = std::min(size - at, room / width * width);
            if (bytes == 0) {
                blocks.emplace_back();
                room = kBlockBytes;
                continue;
            }
            blocks.back().push_back({tensor, at / width, bytes});
            at += bytes;
            room -= bytes;
        }
    }
    return blocks;
}

std::vector<std::byte> drawBlock(const Block& block, uint64_t seed) {
    uint64_t total = 0;
    for (const Piece& piece : block) total += piece.bytes;
    std::vector<std::byte> out(total);
    uint64_t at = 0;
    for (const Piece& piece : block) {
        const std::span<std::byte> part = std::span(out).subspan(at, piece.bytes);
        piece.tensor->draw.fill(part, piece.tensor->name, seed, piece.firstElement);
        at += piece.bytes;
    }
    return out;
}

// A folder that this run made; removed with its contents unless it was renamed.
class PartFolder {
  public:
    // Errors: kBusy when it is there already, because then it is not ours to remove; kIo.
    static Result<PartFolder> create(const fs::path& path) {
        std::error_code error;
        if (fs::create_directory(path, error)) return PartFolder(path);
        if (error) return fail(ErrorCode::kIo, "{}: {}", path.string(), error.message());
        return fail(ErrorCode::kBusy, "{}: exists already; remove it unless another run is writing it", path.string());
    }
    PartFolder(PartFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    PartFolder& operator=(PartFolder&&) = delete;
    PartFolder(const PartFolder&) = delete;
    PartFolder& operator=(const PartFolder&) = delete;
    ~PartFolder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    void release() { path_.clear(); }

  private:
    explicit PartFolder(fs::path path) : path_(std::move(path)) {}

    fs::path path_;
};

// Draws and writes all shards of one checkpoint; lives for one call of generateCheckpoint.
class Generator {
  public:
    Generator(const GeneratorOptions& options, const ProgressCallback& progress, std::stop_token stop)
        : options_(options), progress_(progress), stop_(std::move(stop)), start_(std::chrono::steady_clock::now()) {
        const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        threads_ = static_cast<size_t>(options.threads > 0 ? options.threads : cores);
    }

    Result<> writeShards(const std::vector<std::vector<DrawnTensor>>& shards, const fs::path& folder,
                         uint64_t totalBytes) {
        total_ = totalBytes;
        json map = json::object();
        for (size_t i = 0; i < shards.size(); ++i) {
            const std::string name = shardName(i, shards.size());
            PAL_TRY(writeShard(shards[i], folder / name));
            for (const DrawnTensor& tensor : shards[i]) map[tensor.name] = name;
        }
        if (shards.size() == 1) return {};
        const json index = {{"metadata", {{"total_size", totalBytes}}}, {"weight_map", std::move(map)}};
        return writeJson(folder / "model.safetensors.index.json", index);
    }

    static Result<> writeJson(const fs::path& path, const json& document) {
        PAL_ASSIGN(FileWriter file, FileWriter::create(path));
        const std::string text = document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
        PAL_TRY(file.write(std::as_bytes(std::span(text))));
        return file.commit();
    }

    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    Result<> writeShard(const std::vector<DrawnTensor>& tensors, const fs::path& path) {
        std::vector<SafetensorsWriter::Declared> declared;
        std::map<std::string_view, const DrawnTensor*> byName;
        for (const DrawnTensor& tensor : tensors) {
            declared.push_back({tensor.name, tensor.draw.type, tensor.shape});
            byName.emplace(tensor.name, &tensor);
        }
        PAL_ASSIGN(SafetensorsWriter writer, SafetensorsWriter::create(path, std::move(declared), {{"format", "pt"}}));
        std::vector<const DrawnTensor*> inFileOrder;
        for (const SafetensorsEntry& entry : writer.header().entries) inFileOrder.push_back(byName.at(entry.name));

        const std::vector<Block> blocks = cutIntoBlocks(inFileOrder);
        const auto draw = [&](size_t i) { return drawBlock(blocks[i], options_.seed); };
        const auto write = [&](size_t /*i*/, const std::vector<std::byte>& bytes) -> Result<> {
            if (stop_.stop_requested())
                return fail(ErrorCode::kCancelled, "stopped after {} of {} bytes", done_, total_);
            PAL_TRY(writer.write(bytes));
            done_ += bytes.size();
            if (progress_) progress_({done_, total_, seconds()});
            return {};
        };
        PAL_TRY(computeAhead(blocks.size(), threads_, draw, write));
        return writer.finish();
    }

    const GeneratorOptions& options_;
    const ProgressCallback& progress_;
    std::stop_token stop_;
    std::chrono::steady_clock::time_point start_;
    size_t threads_ = 1;
    uint64_t done_ = 0;
    uint64_t total_ = 0;
};

// Absolute and without a final slash, so that a link is seen as one and ".part" can be appended.
fs::path plainPath(const fs::path& folder) {
    fs::path out = fs::absolute(folder).lexically_normal();
    return out.has_filename() ? out : out.parent_path();
}

// An empty folder may be there already; anything else, also a link to an empty folder, stays untouched.
Result<> checkTarget(const fs::path& folder, uint64_t bytes) {
    std::error_code error;
    const fs::file_status there = fs::symlink_status(folder, error);
    if (fs::exists(there) && !(fs::is_directory(there) && fs::is_empty(folder, error))) {
        return fail(ErrorCode::kInvalidArgument, "{}: exists already{}", folder.string(),
                    fs::is_symlink(there) ? " (a link)" : "");
    }
    const fs::path parent = folder.parent_path();
    fs::create_directories(parent, error);
    const fs::space_info space = fs::space(parent, error);
    if (error) return fail(ErrorCode::kIo, "{}: {}", parent.string(), error.message());
    if (space.available < bytes) {
        return fail(ErrorCode::kIo, "{}: the model takes {} bytes, {} are free", parent.string(), bytes,
                    space.available);
    }
    return {};
}

Result<> copyTokenizer(const fs::path& from, const fs::path& folder) {
    std::error_code error;
    fs::copy_file(from, folder / "tiktoken.model", error);
    if (error) return fail(ErrorCode::kIo, "{}: {}", from.string(), error.message());
    return {};
}

}  // namespace

Result<RandomModelReport> generateCheckpoint(const json& config, const fs::path& folder,
                                             const GeneratorOptions& options, const ProgressCallback& progress,
                                             const std::stop_token& stop) {
    PAL_ASSIGN(ModelConfig parsed, parseModelConfig(config, folder / "config.json"));
    const LayerPlan plan = makeLayerPlan(std::move(parsed));
    const fs::path target = plainPath(folder);
    PAL_TRY(checkTarget(target, plan.weightBytes()));
    const auto shards = splitIntoShards(listTensors(plan), options.shardBytes);

    fs::path part = target;
    part += ".part";
    PAL_ASSIGN(PartFolder guard, PartFolder::create(part));

    PAL_TRY(Generator::writeJson(part / "config.json", config));
    if (options.tokenizer.has_value()) PAL_TRY(copyTokenizer(*options.tokenizer, part));
    Generator generator(options, progress, stop);
    PAL_TRY(generator.writeShards(shards, part, plan.weightBytes()));
    std::error_code error;
    fs::rename(part, target, error);  // replaces an empty folder, and nothing else
    if (error) return fail(ErrorCode::kIo, "{}: {}", target.string(), error.message());
    guard.release();
    return RandomModelReport{plan.parameters(), plan.tensorCount(), shards.size(), plan.weightBytes(),
                             generator.seconds()};
}

}  // namespace pal
