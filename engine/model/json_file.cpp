// SPDX-License-Identifier: Apache-2.0
#include "engine/model/json_file.h"

#include <string>
#include <utility>
#include <vector>

#include "engine/base/mapped_file.h"

namespace pal {
namespace {

using nlohmann::json;

// Builds the document from the parser's events and stops it at the first thing that is not allowed.
class StrictBuilder final : public nlohmann::json_sax<json> {
  public:
    explicit StrictBuilder(const JsonLimits& limits) : limits_(limits) {}

    bool null() override { return put(json(nullptr)); }
    bool boolean(bool value) override { return put(json(value)); }
    bool number_integer(number_integer_t value) override { return put(json(value)); }
    bool number_unsigned(number_unsigned_t value) override { return put(json(value)); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return put(json(value)); }
    bool string(string_t& value) override { return put(json(std::move(value))); }
    bool binary(binary_t& /*value*/) override { return stop("binary values are not JSON"); }

    bool start_object(size_t /*elements*/) override { return open(json::object()); }
    bool start_array(size_t /*elements*/) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        if (open_.back()->contains(name)) return stop(fmt::format("the key '{}' occurs twice", name));
        slot_ = &(*open_.back())[name];
        return true;
    }

    bool parse_error(size_t position, const std::string& token, const json::exception& /*error*/) override {
        constexpr size_t kShown = 40;
        return stop(fmt::format("not valid JSON at byte {}, near '{}'", position, token.substr(0, kShown)));
    }

    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] json take() { return std::move(root_); }

  private:
    bool stop(std::string problem) {
        problem_ = std::move(problem);
        return false;
    }

    // Stores a value where the parser stands: the document itself, the key just read, or the end of the array.
    json* place(json value) {
        if (open_.empty()) return &(root_ = std::move(value));
        if (open_.back()->is_object()) return &(*slot_ = std::move(value));
        open_.back()->push_back(std::move(value));
        return &open_.back()->back();
    }
    bool count() {
        if (++values_ <= limits_.maxValues) return true;
        return stop(fmt::format("more than {} values", limits_.maxValues));
    }
    bool put(json value) {
        if (!count()) return false;
        place(std::move(value));
        return true;
    }
    bool open(json value) {
        if (open_.size() >= static_cast<size_t>(limits_.maxDepth)) {
            return stop(fmt::format("nested deeper than {} levels", limits_.maxDepth));
        }
        if (!count()) return false;
        open_.push_back(place(std::move(value)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    const JsonLimits& limits_;
    uint64_t values_ = 0;
    json root_;
    std::vector<json*> open_;  // containers from the root to where the parser stands; only the last one grows
    json* slot_ = nullptr;
    std::string problem_;
};

}  // namespace

Result<json> parseJsonObject(std::string_view text, std::string_view name, const JsonLimits& limits) {
    if (text.size() > limits.maxBytes) {
        return fail(ErrorCode::kFormat, "{}: {} bytes of JSON, at most {} are accepted", name, text.size(),
                    limits.maxBytes);
    }
    StrictBuilder builder(limits);
    if (!json::sax_parse(text.begin(), text.end(), &builder)) {
        return fail(ErrorCode::kFormat, "{}: {}", name, builder.problem());
    }
    json document = builder.take();
    if (!document.is_object()) {
        return fail(ErrorCode::kFormat, "{}: the JSON is {}, expected an object", name, document.type_name());
    }
    return document;
}

Result<json> readJsonFile(const std::filesystem::path& path, const JsonLimits& limits) {
    PAL_ASSIGN(const MappedFile file, MappedFile::open(path));
    const auto bytes = file.bytes();
    return parseJsonObject({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string(), limits);
}

}  // namespace pal
