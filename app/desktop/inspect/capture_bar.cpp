// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/capture_bar.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QVBoxLayout>
#include <algorithm>

#include "app/desktop/bridge/error_text.h"

namespace pal::desktop {
namespace {

constexpr int64_t kFewest = 32;  // tokens of answers that say something about a pace

// Number and unit stay on one line.
QString sizeText(uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes)).replace(u' ', QChar::Nbsp);
}

}  // namespace

CaptureBar::CaptureBar(InspectFeed& feed, InspectModel& model, Chat& chat, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      feed_(feed),
      model_(model),
      level_(new QComboBox(this)),
      cost_(new QLabel(this)),
      depth_(new QComboBox(this)),
      compute_(new QPushButton(tr("Compute the selection again…"), this)),
      go_(new QPushButton(tr("Compute"), this)),
      stop_(new QPushButton(tr("Cancel"), this)),
      price_(new QLabel(this)),
      progress_(new QProgressBar(this)) {
    build(theme);
    connect(level_, &QComboBox::currentIndexChanged, this, [this] {
        feed_.setCapture(static_cast<ProbeLevel>(level_->currentData().toInt()));
        show();
    });
    connect(&chat, &Chat::started, this, [this] { running_ = feed_.capture(); });
    connect(&chat, &Chat::ended, this, &CaptureBar::measure);
    connect(compute_, &QPushButton::clicked, this, &CaptureBar::ask);
    connect(go_, &QPushButton::clicked, this, &CaptureBar::start);
    connect(stop_, &QPushButton::clicked, this, [this] {
        feed_.stopLook();
        if (!feed_.isLooking()) show();
    });
    connect(&feed_, &InspectFeed::lookProgressed, this, [this](qint64 done, qint64 all) {
        progress_->setRange(0, static_cast<int>(all));
        progress_->setValue(static_cast<int>(done));
    });
    connect(&feed_, &InspectFeed::lookEnded, this, &CaptureBar::show);
    show();
}

void CaptureBar::build(const Theme& theme) {
    level_->setObjectName(QStringLiteral("capture"));
    level_->setAccessibleName(tr("What is captured of answers"));
    level_->addItem(tr("Capture nothing"), int(ProbeLevel::kOff));
    level_->addItem(tr("Capture a summary"), int(ProbeLevel::kSummary));
    level_->setCurrentIndex(level_->findData(int(feed_.capture())));
    depth_->setObjectName(QStringLiteral("depth"));
    depth_->setAccessibleName(tr("What is computed again"));
    depth_->addItem(tr("Window: summaries"), int(ProbeLevel::kWindow));
    depth_->addItem(tr("Full: every value of the layer"), int(ProbeLevel::kFull));
    compute_->setObjectName(QStringLiteral("compute"));
    go_->setObjectName(QStringLiteral("computeNow"));
    stop_->setObjectName(QStringLiteral("computeStop"));
    for (QLabel* label : {cost_, price_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    cost_->setObjectName(QStringLiteral("captureCost"));
    price_->setObjectName(QStringLiteral("computeCost"));
    progress_->setAccessibleName(tr("Computed tokens"));
    auto* first = new QHBoxLayout();
    first->addWidget(level_);
    first->addWidget(cost_, 1);
    auto* second = new QHBoxLayout();
    for (QWidget* widget : std::initializer_list<QWidget*>{depth_, compute_}) second->addWidget(widget);
    second->addWidget(price_, 1);
    second->addWidget(progress_, 1);
    second->addWidget(go_);
    second->addWidget(stop_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(theme.space(2), theme.space(1), theme.space(2), theme.space(1));
    all->setSpacing(theme.space(1));
    all->addLayout(first);
    all->addLayout(second);
}

// Of kFull the selected layer; where none is selected, the first of each kind of attention.
std::vector<int64_t> CaptureBar::rawLayers() const {
    if (depth_->currentData().toInt() != int(ProbeLevel::kFull)) return {};
    if (model_.selection().layer >= 0) return {model_.selection().layer};
    const auto& layers = model_.source().shape().layers;
    std::vector<int64_t> out;
    for (const auto is : {&inspect::LayerShape::kda, &inspect::LayerShape::mla}) {
        const auto found = std::find_if(layers.begin(), layers.end(), [is](const auto& layer) { return layer.*is; });
        if (found != layers.end()) out.push_back(found - layers.begin());
    }
    return out.empty() ? std::vector<int64_t>{0} : out;
}

void CaptureBar::ask() {
    wanted_ = model_.selection().tokens;
    wantedLayers_ = rawLayers();
    compute_->setEnabled(false);
    feed_.estimate(wanted_, wantedLayers_, [this](const Result<ChatRunner::LookCost>& cost) { showCost(cost); });
}

void CaptureBar::showCost(const Result<ChatRunner::LookCost>& cost) {
    show();
    price_->show();
    if (!cost) {
        price_->setText(errorText(cost.error()));
        return;
    }
    const QLocale locale;
    QString text =
        tr("Reads %1 tokens again, keeps %2").arg(locale.toString(qlonglong(cost->tokens)), sizeText(cost->bytes));
    if (cost->seconds) text += tr(", about %1 s").arg(locale.toString(*cost->seconds, 'f', 1));
    price_->setText(text);
    go_->show();
    stop_->show();
    compute_->hide();
    depth_->hide();
}

void CaptureBar::start() {
    feed_.look(wanted_, wantedLayers_);
    go_->hide();
    price_->hide();
    progress_->setRange(0, 0);
    progress_->show();
    stop_->show();
}

void CaptureBar::measure(const TurnEnd& end) {
    Pace& pace = paces_[running_];
    if (end.report.done.generated > 1) {
        pace.seconds += end.report.done.decodeSeconds;
        pace.tokens += end.report.done.generated - 1;
    }
    show();
}

QString CaptureBar::costText() const {
    QStringList parts;
    if (feed_.bytesPerToken() > 0) parts << tr("%1 per token").arg(sizeText(feed_.bytesPerToken()));
    const auto off = paces_.find(ProbeLevel::kOff), on = paces_.find(ProbeLevel::kSummary);
    const bool measured =
        off != paces_.end() && on != paces_.end() && off->second.tokens >= kFewest && on->second.tokens >= kFewest;
    if (!measured) {
        parts << tr("its time is measured once answers were written with and without");
    } else {
        const double with = on->second.seconds / static_cast<double>(on->second.tokens);
        const double without = off->second.seconds / static_cast<double>(off->second.tokens);
        parts << tr("%1 % more time per token").arg(QLocale().toString((with / without - 1) * 100, 'f', 1));
    }
    return parts.join(QStringLiteral(" · "));
}

void CaptureBar::show() {
    cost_->setText(costText());
    cost_->setToolTip(cost_->text());
    const bool looking = feed_.isLooking();
    compute_->setEnabled(!looking);
    compute_->setVisible(!looking);
    depth_->setVisible(!looking);
    go_->hide();
    price_->hide();
    progress_->setVisible(looking);
    stop_->setVisible(looking);
}

}  // namespace pal::desktop
