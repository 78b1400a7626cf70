// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/in_two.h"

#include <exception>
#include <system_error>
#include <thread>

namespace pal::inspect {

void inTwo(int64_t count, const std::function<void(int64_t begin, int64_t end)>& work) {
    const int64_t middle = count / 2;
    std::exception_ptr failed;  // of the second thread
    {
        std::jthread second;
        try {
            second = std::jthread([&] {
                try {
                    work(middle, count);
                } catch (...) {
                    failed = std::current_exception();
                }
            });
        } catch (const std::system_error&) {
            work(middle, count);
        }
        work(0, middle);
    }
    if (failed) std::rethrow_exception(failed);
}

}  // namespace pal::inspect
