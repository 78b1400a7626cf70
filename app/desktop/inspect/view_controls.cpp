// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/view_controls.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pal::desktop {
namespace {

using inspect::Scalar;
using inspect::ViewOptions;

constexpr int kMassSteps = 100;

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

void fillViews(QComboBox& box) {
    const inspect::Words words = figureWords();
    for (const inspect::View& view : inspect::views())
        box.addItem(QString::fromStdString(words.say(view.title)), textOf(view.name));
}

}  // namespace

ViewControls::ViewControls(InspectModel& model, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      model_(model),
      theme_(theme),
      views_(new QComboBox(this)),
      layers_(new QComboBox(this)),
      head_(new QSpinBox(this)),
      log_(new QCheckBox(tr("&Log"), this)),
      sink_(new QCheckBox(tr("Hide &first token"), this)),
      massLabel_(new QLabel(this)),
      mass_(new QSlider(Qt::Horizontal, this)),
      colourBy_(new QComboBox(this)),
      compared_(new QComboBox(this)),
      branches_(new QComboBox(this)),
      byLoad_(new QCheckBox(tr("&Busiest first"), this)),
      remember_(new QComboBox(this)) {
    build();
    fillLayers();
    show(model_.selection());
    connectAll();
    takeOptions();
    showWhatMatters();
}

void ViewControls::build() {
    views_->setObjectName(QStringLiteral("views"));
    views_->setAccessibleName(tr("View"));
    fillViews(*views_);
    layers_->setObjectName(QStringLiteral("layers"));
    layers_->setAccessibleName(tr("Layer"));
    head_->setObjectName(QStringLiteral("head"));
    head_->setAccessibleName(tr("Head"));
    head_->setRange(-1, 4095);
    head_->setSpecialValueText(tr("all heads"));
    head_->setPrefix(tr("head "));
    log_->setToolTip(tr("Colours by powers of ten"));
    sink_->setToolTip(tr("Leaves the first token out, which takes what heads do not need elsewhere"));
    mass_->setRange(1, kMassSteps);
    mass_->setValue(kMassSteps);
    mass_->setAccessibleName(tr("Share of the attention that is shown"));
    mass_->setMaximumWidth(theme_.space(30));
    colourBy_->setAccessibleName(tr("Colour by"));
    const inspect::Words words = figureWords();
    for (int i = 0; i < inspect::kScalars; ++i)
        colourBy_->addItem(QString::fromStdString(inspect::scalarTitle(static_cast<Scalar>(i), words)), i);
    colourBy_->setCurrentIndex(static_cast<int>(model_.options().colourBy));
    compared_->setAccessibleName(tr("View to compare"));
    fillViews(*compared_);
    compared_->removeItem(compared_->count() - 1);  // the comparison itself
    branches_->setObjectName(QStringLiteral("branches"));
    branches_->setAccessibleName(tr("Version to compare with"));
    fillBranches();
    remember_->setAccessibleName(tr("Longer than"));
    for (const int64_t tokens : {100, 1'000, 32'000, 1'000'000})
        remember_->addItem(tr("> %1 tokens").arg(QLocale().toString(qlonglong(tokens))), qlonglong(tokens));
    remember_->setCurrentIndex(1);

    auto* first = new QHBoxLayout();
    first->addWidget(views_, 2);
    first->addWidget(layers_, 1);
    first->addWidget(head_, 1);
    auto* second = new QHBoxLayout();
    for (QWidget* widget : std::initializer_list<QWidget*>{colourBy_, compared_, branches_, remember_, byLoad_, log_,
                                                           sink_, massLabel_, mass_})
        second->addWidget(widget);
    second->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(theme_.space(1));
    all->addLayout(first);
    all->addLayout(second);
}

void ViewControls::connectAll() {
    connect(views_, &QComboBox::currentIndexChanged, this, [this] {
        showWhatMatters();
        Q_EMIT viewChanged();
    });
    connect(layers_, &QComboBox::currentIndexChanged, this, &ViewControls::takeSelection);
    connect(head_, &QSpinBox::valueChanged, this, &ViewControls::takeSelection);
    for (const QCheckBox* box : {log_, sink_, byLoad_})
        connect(box, &QCheckBox::toggled, this, &ViewControls::takeOptions);
    for (const QComboBox* box : {colourBy_, compared_, remember_})
        connect(box, &QComboBox::currentIndexChanged, this, &ViewControls::takeOptions);
    connect(mass_, &QSlider::valueChanged, this, &ViewControls::takeOptions);
    connect(branches_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) Q_EMIT branchChosen(branches_->currentData().toLongLong());
    });
    connect(&model_, &InspectModel::branchesChanged, this, &ViewControls::fillBranches);
    connect(&model_, &InspectModel::selectionChanged, this, [this] { show(model_.selection()); });
    connect(&model_, &InspectModel::dataChanged, this, &ViewControls::fillLayers);
}

const inspect::View& ViewControls::view() const {
    return inspect::views()[static_cast<size_t>(std::max(0, views_->currentIndex()))];
}

void ViewControls::setView(std::string_view name) {
    views_->setCurrentIndex(views_->findData(textOf(name)));
}

void ViewControls::fillLayers() {
    const auto& layers = model_.source().shape().layers;
    if (layers_->count() == static_cast<int>(layers.size()) + 1) return;
    filling_ = true;
    layers_->clear();
    layers_->addItem(tr("any layer"), -1);
    for (size_t i = 0; i < layers.size(); ++i) {
        const QString kind = layers[i].kda ? QStringLiteral("KDA") : QStringLiteral("MLA");
        layers_->addItem(tr("layer %1 %2").arg(i).arg(kind), static_cast<int>(i));
    }
    filling_ = false;
    show(model_.selection());
}

void ViewControls::fillBranches() {
    filling_ = true;
    branches_->clear();
    branches_->addItem(tr("with this version"), qint64{0});
    for (const InspectModel::Branch& branch : model_.branches()) branches_->addItem(branch.name, qint64{branch.head});
    branches_->setCurrentIndex(std::max(0, branches_->findData(qint64{model_.otherHead()})));
    filling_ = false;
    branches_->setVisible(view().name == "compare" && branches_->count() > 1);
}

void ViewControls::show(const inspect::Selection& selection) {
    filling_ = true;
    layers_->setCurrentIndex(std::max(0, layers_->findData(static_cast<int>(selection.layer))));
    head_->setValue(static_cast<int>(selection.head));
    branches_->setCurrentIndex(std::max(0, branches_->findData(qint64{model_.otherHead()})));
    filling_ = false;
}

void ViewControls::showWhatMatters() {
    const std::string_view name = view().name;
    const bool attends = name == "context" || name == "attention" || name == "model" || name == "compare";
    sink_->setVisible(attends);
    mass_->setVisible(name == "context" || name == "attention");
    massLabel_->setVisible(mass_->isVisibleTo(this));
    colourBy_->setVisible(name == "tokens");
    compared_->setVisible(name == "compare");
    branches_->setVisible(name == "compare" && branches_->count() > 1);
    byLoad_->setVisible(name == "routing");
    remember_->setVisible(name == "half-life");
    log_->setVisible(name != "depth" && name != "gates" && name != "half-life" && name != "state" && name != "reads");
}

void ViewControls::takeSelection() {
    if (filling_) return;
    inspect::Selection selection = model_.selection();
    selection.layer = layers_->currentData().toInt();
    selection.head = head_->value();
    model_.select(selection);
}

void ViewControls::takeOptions() {
    ViewOptions options = model_.options();
    options.values = log_->isChecked() ? ViewOptions::Values::kLog : ViewOptions::Values::kLinear;
    options.sink = sink_->isChecked() ? ViewOptions::Sink::kHide : ViewOptions::Sink::kShow;
    options.order = byLoad_->isChecked() ? ViewOptions::Order::kByLoad : ViewOptions::Order::kByNumber;
    options.mass = static_cast<double>(mass_->value()) / kMassSteps;
    options.colourBy = static_cast<Scalar>(colourBy_->currentData().toInt());
    options.compared = compared_->currentData().toString().toStdString();
    options.remember = remember_->currentData().toLongLong();
    massLabel_->setText(tr("%1 % of the mass").arg(mass_->value()));
    model_.setOptions(options);
}

}  // namespace pal::desktop
