// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/models/settings_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <climits>

#include "app/desktop/bridge/error_text.h"
#include "app/desktop/models/form_page.h"

namespace pal::desktop {
namespace {

QDoubleSpinBox* decimal(double least, double most, double step, QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setRange(least, most);
    box->setSingleStep(step);
    box->setDecimals(2);
    return box;
}

QSpinBox* whole(int least, int most, const QString& zero, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(least, most);
    box->setSpecialValueText(zero);
    box->setGroupSeparatorShown(true);
    return box;
}

int bounded(int64_t value) {
    return static_cast<int>(std::clamp<int64_t>(value, 0, INT_MAX));
}

}  // namespace

SettingsDialog::SettingsDialog(const SessionSettings& settings, Presets presets, const Theme& theme, QWidget* parent)
    : QDialog(parent),
      presets_(std::move(presets)),
      preset_(new QComboBox(this)),
      system_(new QPlainTextEdit(this)),
      thinking_(new QCheckBox(tr("Think before answering"), this)),
      effort_(new QComboBox(this)),
      temperature_(decimal(0, 100, 0.1, this)),
      topP_(decimal(0.01, 1, 0.05, this)),
      minP_(decimal(0, 1, 0.01, this)),
      topK_(whole(0, INT_MAX, tr("all"), this)),
      repetition_(decimal(0.01, 10, 0.05, this)),
      seed_(whole(0, INT_MAX, {}, this)),
      maxTokens_(whole(0, INT_MAX, tr("up to the context"), this)),
      forNew_(new QCheckBox(tr("New sessions ask like this, too"), this)),
      problem_(new QLabel(this)) {
    setWindowTitle(tr("How this session asks"));
    build(theme);
    listPresets({});
    fill(settings);
}

void SettingsDialog::build(const Theme& theme) {
    system_->setPlaceholderText(tr("What the model is told before the first question"));
    system_->setTabChangesFocus(true);
    system_->setFixedHeight(theme.space(26));
    effort_->addItems({tr("not said"), tr("low"), tr("high"), tr("as much as possible")});
    problem_->setWordWrap(true);
    problem_->hide();
    auto* save = new QPushButton(tr("Save as…"), this);
    auto* import = new QPushButton(tr("Import…"), this);
    auto* remove = new QPushButton(tr("Remove"), this);
    auto* row = new QHBoxLayout();
    row->addWidget(preset_, 1);
    for (QPushButton* button : {save, import, remove}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    auto* form = new QFormLayout();
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Preset"), row);
    form->addRow(tr("S&ystem prompt"), system_);
    form->addRow(QString(), thinking_);
    form->addRow(tr("&Effort"), effort_);
    form->addRow(tr("&Temperature"), temperature_);
    form->addRow(tr("Top &p"), topP_);
    form->addRow(tr("Top &k"), topK_);
    form->addRow(tr("&Min p"), minP_);
    form->addRow(tr("&Repetition penalty"), repetition_);
    form->addRow(tr("&Seed"), seed_);
    form->addRow(tr("&Longest answer, tokens"), maxTokens_);
    form->addRow(QString(), forNew_);
    if (auto* label = qobject_cast<QLabel*>(form->labelForField(row))) label->setBuddy(preset_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* all = new QVBoxLayout(this);
    all->setSpacing(theme.space(3));
    all->addWidget(makeFormPage(form, *this), 1);
    all->addWidget(problem_);
    all->addWidget(buttons);
    resize(theme.readingWidth(), sizeHint().height());

    preset_->setAccessibleName(tr("Preset"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(save, &QPushButton::clicked, this, &SettingsDialog::savePreset);
    connect(import, &QPushButton::clicked, this, &SettingsDialog::importPreset);
    connect(remove, &QPushButton::clicked, this, &SettingsDialog::removePreset);
    connect(thinking_, &QCheckBox::toggled, effort_, &QWidget::setEnabled);
    connect(preset_, &QComboBox::currentIndexChanged, this,
            [this, remove](int index) { remove->setEnabled(index > 0 && !preset_->itemData(index).toBool()); });
    connect(preset_, &QComboBox::activated, this, [this](int index) {
        const std::vector<Preset> known = presets_.all();
        if (index < 1 || index > std::ssize(known)) return;
        const Preset& chosen = known[static_cast<size_t>(index - 1)];
        SessionSettings next = chosen.settings;
        // The program's own presets are about sampling alone.
        if (chosen.builtIn) next.system = system_->toPlainText().toStdString();
        fill(next);
    });
    remove->setEnabled(false);
}

void SettingsDialog::listPresets(const QString& chosen) {
    preset_->clear();
    preset_->addItem(tr("– as below –"));
    for (const Preset& preset : presets_.all()) preset_->addItem(preset.name, preset.builtIn);
    preset_->setCurrentIndex(std::max(0, preset_->findText(chosen)));
}

void SettingsDialog::fill(const SessionSettings& settings) {
    rest_ = settings;
    system_->setPlainText(QString::fromStdString(settings.system));
    thinking_->setChecked(settings.thinking == Thinking::kOn);
    effort_->setEnabled(thinking_->isChecked());
    effort_->setCurrentIndex(static_cast<int>(settings.effort));
    temperature_->setValue(static_cast<double>(settings.sampling.temperature));
    topP_->setValue(static_cast<double>(settings.sampling.topP));
    minP_->setValue(static_cast<double>(settings.sampling.minP));
    topK_->setValue(bounded(settings.sampling.topK));
    repetition_->setValue(static_cast<double>(settings.sampling.repetitionPenalty));
    seed_->setValue(bounded(static_cast<int64_t>(std::min<uint64_t>(settings.sampling.seed, INT_MAX))));
    maxTokens_->setValue(bounded(settings.maxTokens));
}

SessionSettings SettingsDialog::settings() const {
    SessionSettings out = rest_;
    out.system = system_->toPlainText().toStdString();
    out.thinking = thinking_->isChecked() ? Thinking::kOn : Thinking::kOff;
    out.effort = static_cast<ThinkingEffort>(effort_->currentIndex());
    out.sampling.temperature = static_cast<float>(temperature_->value());
    out.sampling.topP = static_cast<float>(topP_->value());
    out.sampling.minP = static_cast<float>(minP_->value());
    out.sampling.topK = topK_->value();
    out.sampling.repetitionPenalty = static_cast<float>(repetition_->value());
    // A seed that the box cannot show stays until another one is chosen.
    if (seed_->value() != INT_MAX) out.sampling.seed = static_cast<uint64_t>(seed_->value());
    out.maxTokens = maxTokens_->value();
    return out;
}

void SettingsDialog::savePreset() {
    bool taken = false;
    const QString name = QInputDialog::getText(this, tr("Save preset"), tr("Name"), QLineEdit::Normal, {}, &taken);
    if (!taken) return;
    const auto saved = presets_.save(name.simplified(), settings());
    if (!saved) return say(saved.error());
    listPresets(name.simplified());
}

void SettingsDialog::importPreset() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Import preset"), {}, tr("Presets (*.json)"));
    if (file.isEmpty()) return;
    const auto preset = presets_.import(file);
    if (!preset) return say(preset.error());
    listPresets(preset->name);
    fill(preset->settings);
}

void SettingsDialog::removePreset() {
    if (const auto removed = presets_.remove(preset_->currentText()); !removed) return say(removed.error());
    listPresets({});
}

void SettingsDialog::say(const Error& error) {
    problem_->setText(errorText(error));
    problem_->show();
}

}  // namespace pal::desktop
