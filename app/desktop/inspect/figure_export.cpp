// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/figure_export.h"

#include <QBuffer>
#include <QSaveFile>

#include "app/desktop/inspect/figure_canvas.h"
#include "app/desktop/inspect/inspect_model.h"
#include "app/inspect/export.h"

namespace pal::desktop {
namespace {

QByteArray bytesOf(const inspect::Figure& figure, FigureFile kind, int scale, const QFont& font) {
    const inspect::FigureStyle paper;
    switch (kind) {
        case FigureFile::kPng: {
            QByteArray out;
            QBuffer buffer(&out);
            FigurePainter().paint(figure, paper, font, scale).save(&buffer, "PNG");
            return out;
        }
        case FigureFile::kSvg:
            return QByteArray::fromStdString(inspect::svgOf(figure, paper, figureWords()));
        case FigureFile::kCsv:
            return QByteArray::fromStdString(inspect::csvOf(figure));
        case FigureFile::kJson:
            break;
    }
    return QByteArray::fromStdString(inspect::jsonOf(figure));
}

}  // namespace

Result<> writeFigure(const inspect::Figure& figure, FigureFile kind, int scale, const QFont& font, const QString& path,
                     const std::stop_token& stop) {
    QSaveFile file(path);
    const QByteArray bytes = stop.stop_requested() ? QByteArray() : bytesOf(figure, kind, scale, font);
    if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "{} is not written", path.toStdString());
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(ErrorCode::kIo, "{}: {}", path.toStdString(), file.errorString().toStdString());
    return {};
}

}  // namespace pal::desktop
