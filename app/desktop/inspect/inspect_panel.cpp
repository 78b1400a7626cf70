// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/inspect_panel.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QVBoxLayout>
#include <cmath>

#include "app/desktop/inspect/figure_canvas.h"
#include "app/desktop/style/icons.h"

namespace pal::desktop {
namespace {

constexpr int kFrameMs = 16;

constexpr const char* kEndings[] = {"png", "svg", "csv", "json"};

}  // namespace

InspectPanel::InspectPanel(InspectModel& model, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      model_(model),
      theme_(theme),
      controls_(new ViewControls(model, theme, this)),
      figure_(new FigureWidget(theme, this)),
      explanation_(new QLabel(this)),
      story_(new QLabel(this)),
      why_(new QToolButton(this)),
      menu_(new QToolButton(this)) {
    build();
    fillMenu();
    due_.setSingleShot(true);
    due_.setInterval(kFrameMs);
    connect(&due_, &QTimer::timeout, this, [this] { maker_.want(wish()); });
    connect(&maker_, &FigureMaker::made, this, &InspectPanel::display);
    connect(&maker_, &FigureMaker::failed, this, &InspectPanel::failed);
    connect(&maker_, &FigureMaker::written, this, [this](const std::optional<Error>& error) {
        menu_->setEnabled(true);
        if (error) Q_EMIT failed(*error);
    });
    for (const auto signal : {&InspectModel::dataChanged, &InspectModel::selectionChanged})
        connect(&model_, signal, this, &InspectPanel::tellAnew);
    connect(&model_, &InspectModel::optionsChanged, this, &InspectPanel::schedule);
    connect(controls_, &ViewControls::branchChosen, this, &InspectPanel::branchChosen);
    connect(controls_, &ViewControls::viewChanged, this, [this] {
        range_.reset();
        maker_.cancel();
        tellAnew();  // that, too, may have been cancelled
    });
    connect(&theme_, &Theme::changed, this, &InspectPanel::schedule);
    connectFigure();
    schedule();
}

void InspectPanel::build() {
    figure_->setObjectName(QStringLiteral("figure"));
    explanation_->setObjectName(QStringLiteral("explanation"));
    explanation_->setWordWrap(true);
    explanation_->setTextFormat(Qt::PlainText);
    explanation_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    story_->setObjectName(QStringLiteral("story"));
    story_->setWordWrap(true);
    story_->setTextFormat(Qt::RichText);
    story_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(story_, &QLabel::linkActivated, this, [this](const QString& line) { follow(line.toInt()); });
    why_->setText(tr("What is this?"));
    why_->setCheckable(true);
    why_->setChecked(true);
    menu_->setText(tr("Export"));
    menu_->setPopupMode(QToolButton::InstantPopup);
    auto* foot = new QHBoxLayout();
    foot->addWidget(why_);
    foot->addStretch(1);
    foot->addWidget(menu_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(theme_.space(2), theme_.space(1), theme_.space(2), theme_.space(1));
    all->setSpacing(theme_.space(1));
    all->addWidget(controls_);
    all->addWidget(figure_, 1);
    all->addWidget(story_);
    all->addWidget(explanation_);
    all->addLayout(foot);
    connect(why_, &QToolButton::toggled, explanation_, &QWidget::setVisible);
}

void InspectPanel::fillMenu() {
    auto* menu = new QMenu(menu_);
    for (int scale = 1; scale <= 4; ++scale) {
        connect(menu->addAction(tr("Picture, PNG, %1×").arg(scale)), &QAction::triggered, this,
                [this, scale] { exportFigure(static_cast<int>(FigureFile::kPng), scale); });
    }
    const std::pair<FigureFile, QString> kinds[] = {{FigureFile::kSvg, tr("Drawing, SVG")},
                                                    {FigureFile::kCsv, tr("Table, CSV")},
                                                    {FigureFile::kJson, tr("Data, JSON")}};
    for (const auto& [kind, text] : kinds)
        connect(menu->addAction(text), &QAction::triggered, this,
                [this, kind = static_cast<int>(kind)] { exportFigure(kind, 1); });
    menu->addSeparator();
    connect(menu->addAction(tr("In a window of its own")), &QAction::triggered, this, &InspectPanel::windowWanted);
    menu_->setMenu(menu);
}

void InspectPanel::connectFigure() {
    connect(figure_, &FigureWidget::resized, this, &InspectPanel::schedule);
    connect(figure_, &FigureWidget::chosen, &model_, &InspectModel::choose);
    connect(figure_, &FigureWidget::chosenSecond, &model_, &InspectModel::chooseOther);
    connect(figure_, &FigureWidget::opened, this, &InspectPanel::open);
    connect(figure_, &FigureWidget::zoomed, this, &InspectPanel::zoom);
    connect(figure_, &FigureWidget::panned, this, &InspectPanel::pan);
    connect(figure_, &FigureWidget::shownAll, this, [this] {
        range_.reset();
        schedule();
    });
}

void InspectPanel::schedule() {
    if (!due_.isActive() && isVisible()) due_.start();
}

void InspectPanel::tellAnew() {
    if (shown_ != model_.sharedSource()) {
        shown_ = model_.sharedSource();
        maker_.cancel();  // nothing of another session is shown any more
    }
    storyDue_ = true;
    schedule();
}

FigureWish InspectPanel::wish() {
    FigureWish out;
    out.view = &controls_->view();
    out.source = model_.sharedSource();
    out.otherSource = model_.otherSource();
    out.selection = model_.selection();
    out.other = model_.other();
    out.options = model_.options();
    out.options.width = figure_->width();
    out.options.height = figure_->height();
    out.options.textSize = QFontInfo(theme_.body()).pixelSize() * 0.9;
    out.options.decimal = QLocale().decimalPoint() == QLatin1String(",") ? ',' : '.';
    out.options.range = range_;
    out.story = std::exchange(storyDue_, false) ? FigureWish::Story::kNew : FigureWish::Story::kSame;
    out.style = figureStyle(theme_);
    out.font = theme_.body();
    out.scale = figure_->devicePixelRatioF();
    return out;
}

void InspectPanel::display(const MadeFigure& made) {
    figure_->setFigure(made.figure, made.image);
    if (made.story) tell(*made.story);
    const inspect::Words words = figureWords();
    QStringList sentences;
    for (const char* sentence : controls_->view().explanation) sentences << QString::fromStdString(words.say(sentence));
    explanation_->setText(sentences.join(u' '));
}

void InspectPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    tellAnew();
}

void InspectPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    due_.stop();
    maker_.cancel();
}

void InspectPanel::tell(const std::vector<inspect::StoryLine>& lines) {
    lines_ = lines;
    QString text;
    for (size_t i = 0; i < lines_.size(); ++i) {
        text += QStringLiteral("%1 <a href=\"%2\">%3</a><br>")
                    .arg(QString::fromStdString(lines_[i].text).toHtmlEscaped())
                    .arg(i)
                    .arg(tr("show").toHtmlEscaped());
    }
    text.chop(4);
    story_->setText(text);
    story_->setVisible(!lines_.empty());
}

// The view and the layer that a line speaks of.
void InspectPanel::follow(int line) {
    if (line < 0 || line >= std::ssize(lines_)) return;  // of a text that was there before
    const inspect::StoryLine chosen = lines_[static_cast<size_t>(line)];
    controls_->setView(chosen.view);
    model_.select(chosen.selection);
}

void InspectPanel::exportFigure(int kind, int scale) {
    const QString ending = QString::fromLatin1(kEndings[kind]);
    const QString name = QString::fromStdString(figure_->figure().view) + u'.' + ending;
    const QString path = QFileDialog::getSaveFileName(this, tr("Export"), name, QStringLiteral("*.") + ending);
    if (path.isEmpty()) return;
    menu_->setEnabled(false);
    maker_.write(figure_->figure(), static_cast<FigureFile>(kind), scale, theme_.body(), path);
}

// Tokens along the figure's axis; of a view without one nothing.
inspect::TokenSpan InspectPanel::shownTokens() const {
    inspect::TokenSpan out{INT64_MAX, 0};
    if (figure_->figure().panels.empty()) return {};
    const inspect::Panel& panel = figure_->figure().panels.front();
    const bool across = !panel.columns.empty() && panel.columns.front().target.begin >= 0;
    for (const inspect::Entry& entry : across ? panel.columns : panel.rows) {
        if (entry.target.begin < 0) return {};
        out.begin = std::min(out.begin, entry.target.begin);
        out.end = std::max(out.end, entry.target.end);
    }
    return out;
}

void InspectPanel::zoom(double factor, double at) {
    const inspect::TokenSpan shown = range_.value_or(shownTokens());
    const int64_t all = model_.source().tokens();
    if (shown.size() <= 0 || all <= 0) return;
    constexpr int64_t kFewest = 8;
    const auto size = std::clamp(static_cast<int64_t>(std::llround(static_cast<double>(shown.size()) / factor)),
                                 std::min(kFewest, all), all);
    const double stays = static_cast<double>(shown.begin) + at * static_cast<double>(shown.size());
    const auto begin = static_cast<int64_t>(std::llround(stays - at * static_cast<double>(size)));
    const int64_t first = std::clamp<int64_t>(begin, 0, all - size);
    range_ = inspect::TokenSpan{first, first + size};
    schedule();
}

void InspectPanel::pan(double share) {
    const inspect::TokenSpan shown = range_.value_or(shownTokens());
    const int64_t all = model_.source().tokens();
    if (shown.size() <= 0 || shown.size() >= all) return;
    const double moved = share * static_cast<double>(shown.size());
    const auto step = static_cast<int64_t>(moved < 0 ? std::floor(moved) : std::ceil(moved));
    const int64_t first = std::clamp<int64_t>(shown.begin + step, 0, all - shown.size());
    range_ = inspect::TokenSpan{first, first + shown.size()};
    schedule();
}

void InspectPanel::open(const inspect::Target& target) {
    if (const auto region = model_.regionOf(target)) Q_EMIT model_.regionOpened(*region);
}

void InspectPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) schedule();
}

}  // namespace pal::desktop
