// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/attachment_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/compose/media_requests.h"

namespace pal::desktop {
namespace {

QLabel* plainLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

}  // namespace

AttachmentDialog::AttachmentDialog(AttachmentModel& model, AttachmentId id, std::optional<MediaConfig> media,
                                   DocumentOptions reading, const Theme& theme, QWidget* parent)
    : QDialog(parent), model_(model), id_(id), media_(std::move(media)), reading_(std::move(reading)), theme_(theme) {
    setWindowTitle(tr("%1: what the model sees").arg(QString::fromStdString(item()->facts.file.name)));
    preview_ = new PreviewPane(theme, this);
    cost_ = plainLabel({}, this);
    warnings_ = plainLabel({}, this);
    QPalette palette = warnings_->palette();
    palette.setColor(QPalette::WindowText, theme.colours().warning);
    warnings_->setPalette(palette);
    auto* split = new QSplitter(this);
    split->addWidget(makeOptions());
    split->addWidget(preview_);
    split->setStretchFactor(1, 1);
    split->setHandleWidth(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(split, 1);
    layout->addWidget(buttons);
    resize(theme.space(230), theme.space(130));
    split->setSizes({theme.space(80), theme.space(150)});
    refreshSoon_.setSingleShot(true);
    refreshSoon_.setInterval(150);
    connect(&refreshSoon_, &QTimer::timeout, this, &AttachmentDialog::refresh);
    connect(&model_, &QAbstractItemModel::dataChanged, this, &AttachmentDialog::changed);
    connect(&model_, &QAbstractItemModel::rowsRemoved, this, [this] {
        if (item() == nullptr) reject();
    });
    changed();
    refresh();
}

const AttachmentItem* AttachmentDialog::item() const {
    const int row = model_.rowOf(id_);
    return row < 0 ? nullptr : &model_.items()[static_cast<size_t>(row)];
}

void AttachmentDialog::set(const std::function<void(AttachmentOptions&)>& change) {
    if (item() == nullptr) return;
    AttachmentOptions options = item()->facts.file.options;
    change(options);
    if (options == item()->facts.file.options) return;
    Q_EMIT optionsChanged(id_, options);
    refreshSoon_.start();
}

QWidget* AttachmentDialog::makeOptions() {
    auto* pane = new QWidget(this);
    auto* layout = new QVBoxLayout(pane);
    const AttachmentFacts& facts = item()->facts;
    if (facts.file.clip) {
        strip_ = new FrameStrip(theme_, facts.frames, facts.file.clip->seconds, pane);
        layout->addWidget(strip_);
    }
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    if (facts.file.document) addPages(*form, *facts.file.document);
    if (facts.file.kind == AttachedKind::kImage && media_) addPictureSizes(*form, facts.width, facts.height);
    if (facts.file.clip) addClip(*form, *facts.file.clip);
    layout->addLayout(form);
    layout->addWidget(cost_);
    layout->addWidget(warnings_);
    layout->addStretch(1);
    pane->setMinimumWidth(theme_.space(44));
    return pane;
}

void AttachmentDialog::addPages(QFormLayout& form, const Document& document) {
    const AttachmentOptions options = item()->facts.file.options;
    if (document.pageCount > 1) {
        auto* first = new QSpinBox(this);
        auto* last = new QSpinBox(this);
        for (QSpinBox* box : {first, last}) box->setRange(1, document.pageCount);
        first->setValue(options.firstPage);
        last->setValue(options.lastPage == 0 ? document.pageCount : options.lastPage);
        form.addRow(tr("&First page"), first);
        form.addRow(tr("&Last page"), last);
        const auto take = [this, first, last, count = document.pageCount] {
            set([&](AttachmentOptions& o) {
                o.firstPage = first->value();
                o.lastPage = last->value() == count ? 0 : last->value();
            });
        };
        connect(first, &QSpinBox::valueChanged, this, [last, take](int page) {
            if (last->value() < page) last->setValue(page);
            take();
        });
        connect(last, &QSpinBox::valueChanged, this, [first, take](int page) {
            if (first->value() > page) first->setValue(page);
            take();
        });
    }
    const auto scanned = std::find_if(document.pages.begin(), document.pages.end(),
                                      [](const DocumentPage& page) { return page.pictureOnly && page.imageWidth > 0; });
    if (scanned == document.pages.end() || !media_) return;
    auto* show = new QCheckBox(tr("&Show pages without text as pictures"), this);
    show->setChecked(options.picturePages == PicturePages::kShow);
    connect(show, &QCheckBox::toggled, this, [this](bool on) {
        set([&](AttachmentOptions& o) { o.picturePages = on ? PicturePages::kShow : PicturePages::kName; });
    });
    form.addRow(show);
    addPictureSizes(form, scanned->imageWidth, scanned->imageHeight);
}

void AttachmentDialog::addPictureSizes(QFormLayout& form, int64_t width, int64_t height) {
    auto* sizes = new QComboBox(this);
    const int64_t full = planImage(*media_, width, height).tokens;
    const std::optional<int64_t> now = item()->facts.file.options.pictureTokens;
    int64_t before = full + 1;
    for (const int64_t most : {full, full * 3 / 4, full / 2, full / 4, full / 8, full / 16, now.value_or(full)}) {
        const ResizePlan plan =
            planWithinTokens(*media_, media_->patchLimit, std::max<int64_t>(most, 1), width, height);
        if (plan.tokens >= before) continue;
        before = plan.tokens;
        sizes->addItem(
            tr("%1 × %2 pixels, %Ln token(s)", nullptr, static_cast<int>(plan.tokens)).arg(plan.width).arg(plan.height),
            QVariant::fromValue<qint64>(most == full ? 0 : plan.tokens));
        if (now && plan.tokens <= *now && (sizes->currentIndex() == 0 || sizes->count() == 1))
            sizes->setCurrentIndex(sizes->count() - 1);
    }
    sizes->setEnabled(sizes->count() > 1);
    connect(sizes, &QComboBox::currentIndexChanged, this, [this, sizes] {
        const qint64 tokens = sizes->currentData().toLongLong();
        set([&](AttachmentOptions& o) {
            o.pictureTokens = tokens == 0 ? std::nullopt : std::optional<int64_t>(tokens);
        });
    });
    form.addRow(tr("Picture &size"), sizes);
}

void AttachmentDialog::addClip(QFormLayout& form, const VideoPlan& clip) {
    const AttachmentOptions options = item()->facts.file.options;
    auto* start = new QDoubleSpinBox(this);
    auto* end = new QDoubleSpinBox(this);
    for (QDoubleSpinBox* box : {start, end}) {
        box->setRange(0, clip.seconds);
        box->setDecimals(2);
        box->setSingleStep(std::max(0.05, clip.seconds / 100));
        box->setSuffix(tr(" s"));
    }
    start->setValue(options.start.value_or(0));
    end->setValue(options.end.value_or(clip.seconds));
    strip_->setRange(start->value(), end->value());
    const double most = std::min(clip.fps, media_->video->sampleFps * 4);
    auto* fps = new QDoubleSpinBox(this);
    auto* slide = new QSlider(Qt::Horizontal, this);
    fps->setRange(0.05, std::max(most, 0.05));
    fps->setSingleStep(0.25);
    slide->setRange(1, 100);
    slide->setAccessibleName(tr("Frames per second"));
    fps->setValue(options.fps.value_or(std::min(media_->video->sampleFps, clip.fps)));
    slide->setValue(static_cast<int>(fps->value() / most * 100));
    form.addRow(tr("&Start"), start);
    form.addRow(tr("&End"), end);
    form.addRow(tr("&Frames per second"), fps);
    form.addRow(slide);
    const auto takeRange = [this, seconds = clip.seconds](double from, double to) {
        set([&](AttachmentOptions& o) {
            o.start = from > 0 ? std::optional(from) : std::nullopt;
            o.end = to < seconds ? std::optional(to) : std::nullopt;
        });
    };
    const auto typed = [this, start, end, takeRange] {
        if (end->value() <= start->value()) return;  // while it is typed
        strip_->setRange(start->value(), end->value());
        takeRange(start->value(), end->value());
    };
    connect(start, &QDoubleSpinBox::valueChanged, this, typed);
    connect(end, &QDoubleSpinBox::valueChanged, this, typed);
    connect(strip_, &FrameStrip::rangeChanged, this, [start, end, takeRange](double from, double to) {
        const QSignalBlocker quietStart(start), quietEnd(end);
        start->setValue(from);
        end->setValue(to);
        takeRange(from, to);
    });
    connect(fps, &QDoubleSpinBox::valueChanged, this, [this, slide, most](double value) {
        const QSignalBlocker quiet(slide);
        slide->setValue(static_cast<int>(value / most * 100));
        set([&](AttachmentOptions& o) {
            o.fps = value;
            o.maxFrames.reset();
        });
    });
    connect(slide, &QSlider::valueChanged, this, [fps, most](int value) { fps->setValue(value * most / 100); });
}

void AttachmentDialog::changed() {
    const AttachmentItem* now = item();
    if (now == nullptr) return;
    const QLocale locale;
    cost_->setText(now->counts ? tr("Costs %1 tokens").arg(locale.toString(static_cast<qlonglong>(now->counts->all())))
                               : tr("Counting…"));
    QStringList warnings = now->warnings;
    if (now->facts.file.clip && now->facts.file.clip->sound == VideoPlan::Sound::kUnused)
        warnings.push_back(tr("The sound is not used."));
    warnings_->setText(warnings.join(u'\n'));
    warnings_->setVisible(!warnings.isEmpty());
    showTaken();
}

void AttachmentDialog::showTaken() {
    const AttachmentItem* now = item();
    if (strip_ == nullptr || now == nullptr || !media_) return;
    const auto plan =
        replanVideo(*now->facts.file.clip, *media_, videoRequest(now->facts.file.options), now->facts.file.name);
    std::vector<double> seconds;
    if (plan) {
        for (const VideoChunkPlan& chunk : plan->chunks)
            for (const VideoFrame& frame : chunk.frames) seconds.push_back(frame.seconds);
    }
    strip_->setTaken(std::move(seconds));
}

void AttachmentDialog::refresh() {
    if (item() == nullptr) return;
    size_t place = 0;
    for (const AttachmentItem& other : model_.items()) {
        if (other.id == id_) break;
        place += other.state == AttachmentItem::State::kReady ? 1 : 0;
    }
    preview_->preview(model_.files(), place, media_, reading_);
}

}  // namespace pal::desktop
