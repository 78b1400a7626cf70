// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QString>
#include <stop_token>

#include "app/inspect/canvas.h"
#include "engine/base/result.h"

namespace pal::desktop {

enum class FigureFile { kPng, kSvg, kCsv, kJson };

// Writes exactly what `figure` draws; `scale` is for kPng, 1 to 4 pixels to a length. Any thread. Errors: kIo with the path; kCancelled, and
// then there is no file.
Result<> writeFigure(const inspect::Figure& figure, FigureFile kind, int scale, const QFont& font, const QString& path,
                     const std::stop_token& stop = {});

}  // namespace pal::desktop
