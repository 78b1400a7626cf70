// SPDX-License-Identifier: Apache-2.0
#include "engine/base/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/system_message.h"

namespace pal {

Result<> makePrivateFolder(const std::filesystem::path& folder) {
    std::filesystem::path made;
    for (const auto& part : folder) {
        made /= part;
        if (mkdir(made.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR) {
            // A parent that cannot be written may still exist.
            const int refused = errno;
            if (std::error_code none; !std::filesystem::is_directory(made, none))
                return fail(ErrorCode::kIo, "{}: {}", made.string(), systemMessage(refused));
        }
    }
    struct stat info {};
    if (stat(folder.c_str(), &info) != 0) return fail(ErrorCode::kIo, "{}: {}", folder.string(), systemMessage(errno));
    if (!S_ISDIR(info.st_mode)) return fail(ErrorCode::kIo, "{}: this is a file, not a folder", folder.string());
    std::error_code error;
    const bool used = !std::filesystem::is_empty(folder, error);
    if (!used && !error && info.st_uid == geteuid() && (info.st_mode & 0077) != 0 && chmod(folder.c_str(), 0700) != 0)
        return fail(ErrorCode::kIo, "{}: {}", folder.string(), systemMessage(errno));
    return {};
}

}  // namespace pal
