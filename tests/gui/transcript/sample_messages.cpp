// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/transcript/sample_messages.h"

#include <fmt/format.h>

namespace pal::desktop {

std::string sampleMarkdown() {
    return R"(The report answers this in two places: the clock was repaired in **March 1921** by *Ada Winter* [file 1, page 3], and the
bill was paid a year later. See also [the archive's page](https://example.org/archive?item=12) or `clock.log`.

## What was done

1. The mainspring was replaced.
2. The case was cleaned:
   - outside with oil,
   - inside with a brush, which took
     a whole day.
3. ~~The bell~~ was left as it was.

> "It has not stopped since", writes the keeper,
>
> > and he should know.

| Part | Price | Remark |
|:-----|------:|:------:|
| Spring | 4.20 | new |
| Oil | 0.35 | two bottles of the kind that the keeper always bought at the corner shop |
| Work | 12.00 | [file 1, page 4] |

The rate is $r = \frac{\Delta t}{T} \leq 2^{-10}$, so that over a day it gains

$$
\sum_{i=1}^{24} r_i \approx 0.9\,\text{s}
$$

- [x] found in the report
- [ ] confirmed by the bill

It cost $5 and $10 more, not \(x\).

---

[1]: https://example.org/source
)";
}

std::string sampleCode() {
    return R"(Here is the loop, with the edge case handled:

```cpp
// Sums in pairs, so that rounding errors grow with the logarithm only.
template <typename T>
T pairwiseSum(std::span<const T> values) {
    if (values.size() <= 8) return std::accumulate(values.begin(), values.end(), T{0});
    const size_t half = values.size() / 2;  /* the rest goes right */
    return pairwiseSum(values.first(half)) + pairwiseSum(values.subspan(half));
}
```

and the same in Python:

```python
def pairwise_sum(values: list[float]) -> float:
    """Sums in pairs."""
    if len(values) <= 8:
        return sum(values)
    half = len(values) // 2
    return pairwise_sum(values[:half]) + pairwise_sum(values[half:])  # halves
```

```json
{"name": "clock", "price": 4.20, "parts": ["spring", "oil"], "works": true}
```
)";
}

std::string sampleChinese() {
    return R"(## 修理记录

报告在**第三页**写道：钟在一九二一年三月由*阿达·温特*修好了 [file 1, page 3]。之后它再也没有停过，因此守钟人认为这次修理非常成功，并在第二年付清了账单。

1. 更换主发条
2. 清洁外壳：
   - 外部用油
   - 内部用刷子

| 部件 | 价格 |
|:--|--:|
| 发条 | 4.20 |
| 油 | 0.35 |

误差为 $r \leq 2^{-10}$，代码见 `clock.log`。
)";
}

std::string sampleArabic() {
    return R"(## سجل الإصلاح

يذكر التقرير أن الساعة أُصلحت في **مارس 1921** على يد *آدا وينتر* [file 1, page 3]، ولم تتوقف منذ ذلك الحين، ولذلك عُدَّ الإصلاح ناجحًا جدًا.

1. استبدال النابض الرئيسي
2. تنظيف العلبة:
   - من الخارج بالزيت
   - من الداخل بالفرشاة

> «لم تتوقف منذ ذلك الحين»

```python
print("the clock")  # left to right
```

انظر [الأرشيف](https://example.org) للمزيد.
)";
}

TranscriptMessage userMessage(int64_t id, std::string text) {
    TranscriptMessage message;
    message.id = id;
    message.role = MessageRole::kUser;
    message.text = std::move(text);
    message.time = QDateTime(QDate(2026, 11, 29), QTime(9, 30));
    return message;
}

TranscriptMessage answer(int64_t id, std::string text) {
    TranscriptMessage message;
    message.id = id;
    message.author = QStringLiteral("Kimi K3");
    message.text = std::move(text);
    message.time = QDateTime(QDate(2026, 11, 29), QTime(9, 31));
    message.timing.firstTokenSeconds = 0.8;
    message.timing.tokensPerSecond = 21.4;
    message.timing.reusedTokens = 18204;
    message.timing.computedTokens = 312;
    return message;
}

std::vector<TranscriptMessage> longTranscript(int messages) {
    std::vector<TranscriptMessage> out;
    for (int i = 0; i < messages; ++i) {
        if (i % 2 == 0) {
            out.push_back(userMessage(
                i + 1,
                fmt::format("Question {}: what does the report say about the clock, and who paid for it?", i / 2 + 1)));
        } else {
            const std::string text = i % 8 == 1 ? sampleCode() : i % 8 == 5 ? sampleChinese() : sampleMarkdown();
            out.push_back(answer(i + 1, fmt::format("Answer {}.\n\n{}", i / 2 + 1, text)));
            out.back().thinking = "The user wants to know who repaired the clock.\n\nPage 3 names her.";
        }
    }
    return out;
}

}  // namespace pal::desktop
