// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/models/model_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QThread>
#include <QVBoxLayout>
#include <algorithm>
#include <climits>
#include <utility>

#include "app/desktop/bridge/error_text.h"
#include "app/desktop/models/form_page.h"
#include "app/desktop/style/left_to_right.h"

namespace pal::desktop {
namespace {

QString sizeText(uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes));
}

QString path(const std::filesystem::path& place) {
    return QString::fromStdString(place.string());
}

}  // namespace

ModelDialog::ModelDialog(Bridge& bridge, const RuntimeChoice& now, const Theme& theme, QWidget* parent, GpuReader gpu)
    : QDialog(parent),
      bridge_(bridge),
      theme_(theme),
      before_(now),
      gpuReader_(gpu),
      model_(new QComboBox(this)),
      device_(new QComboBox(this)),
      threads_(new QSpinBox(this)),
      context_(new QSpinBox(this)),
      latents_(new QComboBox(this)),
      facts_(new QLabel(this)),
      plan_(new LoadPlanView(theme, this)),
      verdict_(new QLabel(this)),
      budget_(new QSpinBox(this)),
      places_(new QLabel(this)),
      load_(new QPushButton(tr("Load"), this)) {
    setWindowTitle(tr("Model and runtime"));
    build();
    readLists();
    plan();
}

void ModelDialog::build() {
    addModel(tr("Embedded model (a small demonstration)"), {});
    if (!before_.model.isEmpty()) addModel(before_.model, before_.model);
    model_->setCurrentIndex(std::max(0, model_->findData(before_.model)));
    device_->setObjectName(QStringLiteral("device"));
    device_->addItem(tr("Processor"), static_cast<int>(Device::kCpu));
    device_->addItem(tr("NVIDIA GPU"), static_cast<int>(Device::kCuda));
    device_->setCurrentIndex(before_.engine.device == Device::kCuda ? 1 : 0);
    threads_->setRange(0, 4096);
    threads_->setSpecialValueText(tr("one per core (%1)").arg(QThread::idealThreadCount()));
    threads_->setValue(before_.engine.threads);
    threads_->setEnabled(device_->currentIndex() == 0);
    context_->setRange(0, INT_MAX);
    context_->setSingleStep(4096);
    context_->setGroupSeparatorShown(true);
    context_->setSpecialValueText(tr("all that the model allows"));
    context_->setValue(static_cast<int>(std::min<int64_t>(before_.engine.contextTokens, INT_MAX)));
    latents_->addItem(tr("float32, as the model was checked"), static_cast<int>(LatentType::kFloat32));
    latents_->addItem(tr("bfloat16, half the size"), static_cast<int>(LatentType::kBFloat16));
    latents_->setCurrentIndex(before_.engine.latents == LatentType::kBFloat16 ? 1 : 0);
    budget_->setRange(0, 1 << 20);
    budget_->setSuffix(tr(" GiB"));
    budget_->setToolTip(tr("What was seen of answers takes at most 1/32 of it in addition"));
    budget_->setValue(before_.stateGibibytes);
    for (QLabel* label : {facts_, verdict_, places_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        // At the side where the form is read, whatever the language of what is said.
        label->setAlignment((isRightToLeft() ? Qt::AlignRight | Qt::AlignAbsolute : Qt::AlignLeft) | Qt::AlignVCenter);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    facts_->setMinimumHeight(QFontMetrics(theme_.body()).height() * 2);

    layOut();
    soon_.setSingleShot(true);
    soon_.setInterval(150);
    connect(&soon_, &QTimer::timeout, this, &ModelDialog::plan);
    connect(model_, &QComboBox::currentIndexChanged, this, &ModelDialog::planSoon);
    connect(context_, &QSpinBox::valueChanged, this, &ModelDialog::planSoon);
    connect(latents_, &QComboBox::currentIndexChanged, this, &ModelDialog::showPlan);
    connect(device_, &QComboBox::currentIndexChanged, this, [this] {
        threads_->setEnabled(device_->currentIndex() == 0);
        showPlan();
    });
}

void ModelDialog::layOut() {
    auto* folder = new QPushButton(tr("Folder…"), this);
    folder->setAutoDefault(false);
    auto* row = new QHBoxLayout();
    row->addWidget(model_, 1);
    row->addWidget(folder);
    auto* form = new QFormLayout();
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Model"), row);
    if (auto* label = qobject_cast<QLabel*>(form->labelForField(row))) label->setBuddy(model_);
    model_->setAccessibleName(tr("Model"));
    form->addRow(QString(), facts_);
    form->addRow(tr("&Runs on"), device_);
    form->addRow(tr("&Threads"), threads_);
    form->addRow(tr("&Context, tokens"), context_);
    form->addRow(tr("&Latents"), latents_);
    form->addRow(tr("Memory"), plan_);
    form->addRow(QString(), verdict_);
    form->addRow(tr("&Disk for stored states"), budget_);
    form->addRow(tr("Data"), places_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(load_, QDialogButtonBox::AcceptRole);
    load_->setDefault(true);
    auto* all = new QVBoxLayout(this);
    all->setSpacing(theme_.space(3));
    all->addWidget(makeFormPage(form, *this), 1);
    all->addWidget(buttons);
    resize(theme_.readingWidth(), sizeHint().height());

    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(folder, &QPushButton::clicked, this, &ModelDialog::chooseFolder);
}

void ModelDialog::readLists() {
    bridge_.errand(
        this, [](LibraryDesk&) -> Result<std::vector<CachedModel>> { return cachedModels(); },
        [this](const Result<std::vector<CachedModel>>& cached) {
            for (const CachedModel& model : cached ? *cached : std::vector<CachedModel>())
                addModel(QString::fromStdString(model.name), path(model.path));
        });
    bridge_.engine(
        this,
        [](EngineDesk& desk) -> Result<Listed> {
            Listed out;
            if (desk.place() == nullptr) return fail(ErrorCode::kBusy, "the data folder is not open");
            const DataPlaces& places = desk.place()->library().places();
            out.dataFolder = path(places.data);
            out.stateFolder = path(places.states);
            if (StateLibrary* states = desk.place()->states()) {
                const StateLibrary::Usage usage = states->usage();
                out.stateBytes = usage.bytes;
                out.stateBudget = usage.budget;
            }
            return out;
        },
        [this](const Result<Listed>& listed) {
            if (listed) take(*listed);
        });
}

void ModelDialog::take(const Listed& listed) {
    if (before_.stateGibibytes == 0) budget_->setValue(static_cast<int>(listed.stateBudget >> 30));
    QString text = tr("Sessions and attachments: %1").arg(listed.dataFolder) + QLatin1Char('\n');
    text += tr("Stored states: %1, %2 of %3")
                .arg(listed.stateFolder, sizeText(listed.stateBytes), sizeText(listed.stateBudget));
    places_->setText(text);
}

void ModelDialog::addModel(const QString& name, const QString& place) {
    if (model_->findData(place) >= 0) return;
    model_->addItem(place.isEmpty() ? name : leftToRight(name), place);
}

void ModelDialog::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of a model"), before_.model);
    if (folder.isEmpty()) return;
    addModel(folder, folder);
    model_->setCurrentIndex(model_->findData(folder));
}

void ModelDialog::planSoon() {
    summary_.reset();
    ++planning_;
    load_->setEnabled(false);
    soon_.start();
}

void ModelDialog::plan() {
    const quint64 number = ++planning_;
    facts_->setText(tr("Reading the model's files…"));
    bridge_.errand(
        this,
        [named = model_->currentData().toString().toStdString(),
         context = static_cast<uint64_t>(context_->value())](LibraryDesk&) -> Result<ModelSummary> {
            PAL_ASSIGN(const ModelChoice choice, named.empty() ? embeddedModel() : chooseModel(named));
            return describeModel(choice.path, context);
        },
        [this, number](const Result<ModelSummary>& summary) {
            if (number == planning_) takePlan(summary);
        });
}

void ModelDialog::takePlan(const Result<ModelSummary>& summary) {
    if (!summary) {
        summary_.reset();
        facts_->setText(errorText(summary.error()));
    } else {
        summary_ = *summary;
        const QLocale locale;
        const QString pattern =
            summary->hasWeights
                ? tr("%1, %2 billion parameters, %3 in %Ln files", nullptr, static_cast<int>(summary->shards))
                : tr("%1, %2 billion parameters, %3; these weights are not here, so it cannot be loaded");
        QString text =
            pattern.arg(QString::fromStdString(summary->architecture),
                        locale.toString(double(summary->parameters) / 1e9, 'f', 2), sizeText(summary->weightBytes));
        text += QLatin1Char('\n') + tr("%1 of %2 tokens of context, a state of %3")
                                        .arg(locale.toString(qulonglong(summary->contextTokens)),
                                             locale.toString(qlonglong(summary->contextLimit)),
                                             sizeText(summary->checkpointBytes));
        for (const std::string& note : summary->notes) text += QLatin1Char('\n') + QString::fromStdString(note);
        facts_->setText(text);
    }
    showPlan();
}

void ModelDialog::showPlan() {
    load_->setEnabled(summary_ && summary_->hasWeights);
    if (!summary_) {
        plan_->setPlan(std::nullopt, {});
        verdict_->clear();
        return;
    }
    const RuntimeChoice chosen = choice();
    LoadPlan plan = loadPlan(*summary_, chosen.engine.latents);
    if (chosen.engine.device == Device::kCpu) {
        const MachineMemory memory = machineMemory();
        plan.memoryBytes = memory.total;
        plan.freeBytes = memory.available;
        plan_->setPlan(plan, tr("Memory of this machine, %1").arg(sizeText(memory.total)));
    } else {
        if (!gpu_) return readGpu();
        if (!*gpu_) {
            plan_->setPlan(plan, tr("Memory of the GPU"));
            verdict_->setText(errorText(gpu_->error()));
            load_->setEnabled(false);
            return;
        }
        const QString device =
            tr("Memory of the GPU, %1, %2").arg(QString::fromStdString((*gpu_)->name), sizeText((*gpu_)->bytes));
        const Result<LoadPlan> placed = gpuLoadPlan(*summary_, chosen.engine, **gpu_);
        if (!placed) {
            plan_->setPlan(plan, device);
            verdict_->setText(errorText(placed.error()));
            load_->setEnabled(false);
            return;
        }
        plan = *placed;
        plan_->setPlan(plan, device);
        if (!plan.fits().value_or(true)) load_->setEnabled(false);
    }
    verdict_->setText(LoadPlanText::verdict(plan, chosen.engine.device));
}

// Asked for when it is wanted, since it starts the GPU's driver.
void ModelDialog::readGpu() {
    verdict_->setText(tr("Looking for the GPU…"));
    load_->setEnabled(false);
    if (std::exchange(askingGpu_, true)) return;
    bridge_.engine(
        this, [](EngineDesk& desk) -> Result<EngineDesk::HeldMemory> { return desk.held(); },
        [this](const Result<EngineDesk::HeldMemory>& held) { askGpu(held.value_or(EngineDesk::HeldMemory{})); });
}

void ModelDialog::askGpu(const EngineDesk::HeldMemory& held) {
    const GpuRates rates = held.gpuBytes > 0 ? GpuRates::kAsKnown : GpuRates::kMeasured;
    bridge_.errand(
        this, [read = gpuReader_, rates](LibraryDesk&) { return read(rates); },
        [this, held](const Result<GpuMemory>& gpu) {
            gpu_ = gpu;
            if (*gpu_) {
                (*gpu_)->freeBytes = std::min((*gpu_)->freeBytes + held.gpuBytes, (*gpu_)->bytes);
                if ((*gpu_)->ramBytes != 0) (*gpu_)->ramBytes += held.ramBytes;
            }
            showPlan();
        });
}

RuntimeChoice ModelDialog::choice() const {
    RuntimeChoice out = before_;
    out.model = model_->currentData().toString();
    out.engine.device = static_cast<Device>(device_->currentData().toInt());
    out.engine.latents = static_cast<LatentType>(latents_->currentData().toInt());
    out.engine.threads = threads_->value();
    out.engine.contextTokens = context_->value();
    out.stateGibibytes = budget_->value();
    return out;
}

}  // namespace pal::desktop
