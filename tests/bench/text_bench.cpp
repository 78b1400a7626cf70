// SPDX-License-Identifier: Apache-2.0
// How fast the vocabulary loads and text is encoded on one core, beside a plain tokenizer made of a regular expression library and a
// hash map (what one writes first). Prints JSON. Times are CPU seconds of the thread, the best of several runs.
//   PAL_SHARED=folder text_bench     the folder holds vocab/tiktoken.model and corpus/*.txt; without it the embedded vocabulary is
//                                    taken and English is left out
#include <time.h>
#include <unicode/regex.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/api/tokenizer.h"

namespace {

using pal::TokenId;
using pal::Tokenizer;
using Json = nlohmann::ordered_json;

constexpr size_t kChineseBytes = 4'000'000;
constexpr size_t kReferenceBytes = 400'000;  // the plain tokenizer sees the beginning of each text

double cpuSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double bestOf(int runs, const std::function<void()>& work) {
    double best = 1e9;
    for (int i = 0; i < runs; ++i) {
        const double start = cpuSeconds();
        work();
        best = std::min(best, cpuSeconds() - start);
    }
    return best;
}

// ICU for the pieces, std::unordered_map for the ranks, and a scan over all pairs for each merge.
class PlainTokenizer {
  public:
    explicit PlainTokenizer(const Tokenizer& tokenizer) {
        for (TokenId id = 0; id < tokenizer.baseSize(); ++id) ranks_.emplace(tokenizer.tokenBytes(id), id);
        UErrorCode status = U_ZERO_ERROR;
        pattern_.reset(icu::RegexPattern::compile(
            uR"([\p{Han}]+|[^\r\n\p{L}\p{N}]?[[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]&&[^\p{Han}]]*[[\p{Ll}\p{Lm}\p{Lo}\p{M}]&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
            uR"(|[^\r\n\p{L}\p{N}]?[[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]&&[^\p{Han}]]+[[\p{Ll}\p{Lm}\p{Lo}\p{M}]&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
            uR"(|\p{N}{1,3}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+)",
            0, status));
        if (U_FAILURE(status)) std::abort();
    }

    std::vector<TokenId> encode(const std::string& text) const {
        std::vector<TokenId> ids;
        UErrorCode status = U_ZERO_ERROR;
        const auto input = icu::UnicodeString::fromUTF8(text);
        const std::unique_ptr<icu::RegexMatcher> matcher(pattern_->matcher(input, status));
        while (matcher->find(status)) {
            std::string piece;
            matcher->group(status).toUTF8String(piece);
            encodePiece(piece, ids);
        }
        return ids;
    }

  private:
    void encodePiece(const std::string& piece, std::vector<TokenId>& ids) const {
        std::vector<std::string> parts;
        for (const char c : piece) parts.emplace_back(1, c);
        for (;;) {
            TokenId lowest = INT32_MAX;
            size_t at = 0;
            for (size_t i = 0; i + 1 < parts.size(); ++i) {
                const auto found = ranks_.find(parts[i] + parts[i + 1]);
                if (found == ranks_.end() || found->second >= lowest) continue;
                lowest = found->second;
                at = i;
            }
            if (lowest == INT32_MAX) break;
            parts[at] += parts[at + 1];
            parts.erase(parts.begin() + static_cast<ptrdiff_t>(at) + 1);
        }
        for (const std::string& part : parts) ids.push_back(ranks_.at(part));
    }

    std::unordered_map<std::string, TokenId> ranks_;
    std::unique_ptr<icu::RegexPattern> pattern_;
};

std::string englishText(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string out;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        out.append(std::istreambuf_iterator<char>(in), {});
    }
    return out;
}

// Whether all bytes belong to Han characters of three bytes, U+4E00 to U+9FFF.
bool isHan(std::string_view token) {
    if (token.size() % 3 != 0) return false;
    for (size_t i = 0; i < token.size(); i += 3) {
        const auto lead = static_cast<unsigned char>(token[i]);
        if (lead < 0xE4 || lead > 0xE9 || (lead == 0xE4 && static_cast<unsigned char>(token[i + 1]) < 0xB8))
            return false;
    }
    return true;
}

// Sentences in turn with runs of the vocabulary's own Han tokens, common ones (low ids) more often.
std::string chineseText(const Tokenizer& tokenizer) {
    const std::vector<std::string> sentences = {"这份文件一共有三十七页，第一页写着项目的名称、日期和负责人。",
                                                "请你先把整篇文章读完，再回答下面的问题。",
                                                "昨天下午我们在图书馆里讨论了很久，最后还是没有得出一致的结论。",
                                                "如果明天不下雨，他们就打算骑自行车去郊外看红叶。",
                                                "这种方法的优点是速度快，缺点是需要占用比较多的内存。",
                                                "老师说，学习一门语言最重要的不是天分，而是每天坚持练习。",
                                                "从北京到上海坐高铁只要四个半小时，比坐飞机还方便。",
                                                "表格里的数字精确到小数点后两位，单位是万元。",
                                                "她打开窗户，看见院子里的桂花已经开了，香味一直飘到街上。",
                                                "模型会记住前面说过的内容，所以不必每次都重新解释一遍。",
                                                "会议记录应当在三个工作日之内发给所有参加的人。",
                                                "那条河很长，两岸住着许多以打鱼为生的人家。"};
    std::vector<std::string> words;
    for (TokenId id = 0; id < tokenizer.baseSize(); ++id) {
        if (isHan(tokenizer.tokenBytes(id))) words.emplace_back(tokenizer.tokenBytes(id));
    }
    std::mt19937_64 random(1);
    std::string out;
    while (out.size() < kChineseBytes) {
        out += sentences[random() % sentences.size()];
        for (size_t i = 0; !words.empty() && i < 12; ++i) {
            const double u = static_cast<double>(random() >> 11) * 0x1p-53;
            out += words[static_cast<size_t>(u * u * static_cast<double>(words.size()))];
            if (i % 6 == 5) out += i == 11 ? "。\n" : "，";
        }
    }
    return out;
}

Json measure(const Tokenizer& tokenizer, const PlainTokenizer& plain, const std::string& text) {
    std::vector<TokenId> ids;
    const double seconds = bestOf(5, [&] { ids = tokenizer.encode(text, pal::SpecialTokens::kForbid); });
    const std::string beginning = pal::validUtf8(text.substr(0, kReferenceBytes));
    std::vector<TokenId> plainIds;
    const double plainSeconds = bestOf(1, [&] { plainIds = plain.encode(beginning); });
    const double rate = static_cast<double>(text.size()) / seconds / 1e6;
    const double plainRate = static_cast<double>(beginning.size()) / plainSeconds / 1e6;
    return {{"bytes", text.size()},
            {"tokens", ids.size()},
            {"mb_per_second", rate},
            {"plain_mb_per_second", plainRate},
            {"ratio", rate / plainRate},
            {"same_ids_as_plain", tokenizer.encode(beginning, pal::SpecialTokens::kForbid) == plainIds}};
}

}  // namespace

int main() {
    const char* shared = std::getenv("PAL_SHARED");
    const std::filesystem::path root = shared != nullptr ? shared : "";
    const bool isReal = shared != nullptr && std::filesystem::exists(root / "vocab/tiktoken.model");
    const std::filesystem::path vocabulary = isReal ? root / "vocab/tiktoken.model" : "resources/nano/tiktoken.model";
    auto tokenizer = Tokenizer::load(vocabulary);
    if (!tokenizer) {
        std::fprintf(stderr, "text_bench: %s\n", tokenizer.error().message.c_str());
        return 1;
    }
    Json out;
    out["vocabulary"] = isReal ? "real" : "embedded";
    out["base_tokens"] = tokenizer->baseSize();
    out["load_seconds"] = bestOf(5, [&] { tokenizer = Tokenizer::load(vocabulary); });
    const PlainTokenizer plain(*tokenizer);
    if (isReal && std::filesystem::exists(root / "corpus"))
        out["english"] = measure(*tokenizer, plain, englishText(root / "corpus"));
    out["chinese"] = measure(*tokenizer, plain, chineseText(*tokenizer));
    std::printf("%s\n", out.dump(2).c_str());
    return 0;
}
