// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <optional>
#include <string>

namespace pal::desktop {

// What the parts below the window say of files and disks, in the user's language and without the system's own words. They know no Qt and say it in
// technical English; what is not known here stays as it is, and so do names, numbers and what programs of others say.
[[nodiscard]] QString plainWords(const QString& technical);
[[nodiscard]] inline QString plainWords(const std::string& technical) {
    return plainWords(QString::fromStdString(technical));
}

// Of an error about a disk, "PLACE: ...: WORDS": what is wrong with it, as a sentence's begin, and where; nothing of any other.
struct DiskTrouble {
    QString what;
    QString where;
};
[[nodiscard]] std::optional<DiskTrouble> diskTrouble(const QString& technical);

}  // namespace pal::desktop
