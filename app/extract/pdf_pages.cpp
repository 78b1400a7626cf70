// SPDX-License-Identifier: Apache-2.0
#include "app/extract/pdf_pages.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/guarded.h"
#include "vision/documents/extract_protocol.h"

namespace pal::extract {
namespace {

constexpr int kPagesPerThread = 16;  // fewer are read sooner than another thread has opened the file
constexpr unsigned kMostThreads = 4;
constexpr int kPagesAhead = 4;  // that each thread may have ready

Result<PdfPageLine> readPage(const PdfDocument& pdf, int number) {
    return guarded(fmt::format("reading page {}", number), [&]() -> Result<PdfPageLine> {
        const DocumentPage page = pdf.page(number);
        return PdfPageLine{pageLine(page), page.text.size()};
    });
}

// The pages that threads read, put into order.
class PageQueue {
  public:
    PageQueue(const PageRange& range, int ahead)
        : ready_(static_cast<size_t>(ahead)), next_(range.first), due_(range.first), last_(range.last), ahead_(ahead) {}

    // The next page to read, once it is due soon; none at the end.
    std::optional<int> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopped_ || next_ > last_ || next_ < due_ + ahead_; });
        if (stopped_ || next_ > last_) return std::nullopt;
        return next_++;
    }
    // Takes no memory.
    void put(int number, Result<PdfPageLine> page) {
        const std::lock_guard lock(mutex_);
        place(number) = std::move(page);
        changed_.notify_all();
    }
    // Waits for the page that is due.
    Result<PdfPageLine> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return place(due_).has_value(); });
        Result<PdfPageLine> page = *std::exchange(place(due_), std::nullopt);
        ++due_;
        changed_.notify_all();
        return page;
    }
    void stop() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }

  private:
    std::optional<Result<PdfPageLine>>& place(int number) { return ready_[static_cast<size_t>(number % ahead_)]; }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::optional<Result<PdfPageLine>>> ready_;  // a page of each that may be ahead
    int next_, due_, last_, ahead_;
    bool stopped_ = false;
};

// The threads of one run; they have ended when it goes out of scope.
class PageThreads {
  public:
    explicit PageThreads(PageQueue& queue) : queue_(queue) {}
    PageThreads(const PageThreads&) = delete;
    PageThreads& operator=(const PageThreads&) = delete;
    ~PageThreads() { end(); }

    // False when the system gives no more threads.
    bool add(const PdfDocument& pdf) {
        try {
            threads_.emplace_back([this, &pdf] {
                while (const std::optional<int> number = queue_.next()) {
                    try {
                        queue_.put(*number, readPage(pdf, *number));
                    } catch (const std::bad_alloc&) {
                        queue_.put(*number, tl::unexpected(Error{ErrorCode::kOutOfMemory, {}}));
                    }
                }
            });
            return true;
        } catch (const std::system_error&) {
            return false;
        }
    }

    void end() {
        queue_.stop();
        threads_.clear();
    }

  private:
    PageQueue& queue_;
    std::vector<std::jthread> threads_;
};

int threadsFor(int pages) {
    const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
    return std::min(static_cast<int>(cores), pages / kPagesPerThread);
}

}  // namespace

Result<> readPages(const PdfDocument& pdf, std::string_view bytes, const std::string& password, const PageRange& range,
                   const std::function<Result<>(int number, const PdfPageLine&)>& take) {
    // What poppler repairs in a damaged file on the way changes what it reads later: that keeps its order.
    const int wanted = pdf.damaged() ? 1 : threadsFor(range.last - range.first + 1);
    std::vector<PdfDocument> copies;
    while (static_cast<int>(copies.size()) + 1 < wanted) {
        auto copy = PdfDocument::open(bytes, password);
        if (!copy) break;
        copies.push_back(std::move(*copy));
    }
    PageQueue queue(range, kPagesAhead * wanted);
    PageThreads threads(queue);
    bool reading = wanted > 1 && threads.add(pdf);
    for (size_t i = 0; i < copies.size() && reading; ++i) {
        if (!threads.add(copies[i])) break;
    }
    for (int number = range.first; number <= range.last; ++number) {
        Result<PdfPageLine> page = reading ? queue.take() : readPage(pdf, number);
        if (reading && !page && page.error().code == ErrorCode::kOutOfMemory) {
            // Several pages that are drawn at once may need more than is allowed, where one does not.
            threads.end();
            copies.clear();
            reading = false;
            page = readPage(pdf, number);
        }
        if (!page) return fail(page.error());
        PAL_TRY(take(number, *page));
    }
    return {};
}

}  // namespace pal::extract
