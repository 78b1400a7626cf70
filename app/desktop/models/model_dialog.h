// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTimer>
#include <optional>

#include "app/composition/model_choice.h"
#include "app/desktop/bridge/bridge.h"
#include "app/desktop/models/load_plan_view.h"
#include "app/desktop/style/theme.h"
#include "engine/api/gpu_memory.h"

namespace pal::desktop {

// What is chosen in the dialog.
struct RuntimeChoice {
    QString model;  // folder or Hugging Face name; empty: the embedded one
    EngineOptions engine;
    int stateGibibytes = 0;  // disk for stored states
};

// Which model runs where: a folder, an entry of the Hugging Face cache or the embedded one; device, context, latents; what that takes of the
// memory, before it is loaded; where data lies and how much of the disk stored states may take. Reads models on the errand thread. UI thread.
class ModelDialog : public QDialog {
    Q_OBJECT

  public:
    using GpuReader = Result<GpuMemory> (*)(GpuRates);
    // `gpu` is called on the errand thread when a GPU is chosen; another one than gpuMemory() makes one up. Rates are not measured while a model is
    // loaded onto it, which may be answering.
    ModelDialog(Bridge& bridge, const RuntimeChoice& now, const Theme& theme, QWidget* parent,
                GpuReader gpu = gpuMemory);

    [[nodiscard]] RuntimeChoice choice() const;
    // Whether the newest plan is shown; for tests and pictures.
    [[nodiscard]] bool planned() const {
        return summary_.has_value() && (device_->currentIndex() == 0 || gpu_.has_value());
    }

  private:
    struct Listed {
        std::vector<CachedModel> cached;
        QString dataFolder, stateFolder;
        uint64_t stateBytes = 0, stateBudget = 0;
    };
    void build();
    void layOut();
    void readLists();
    void take(const Listed& listed);
    void chooseFolder();
    void addModel(const QString& name, const QString& place);
    void planSoon();
    void plan();
    void takePlan(const Result<ModelSummary>& summary);
    void showPlan();
    void readGpu();
    void askGpu(const EngineDesk::HeldMemory& held);

    Bridge& bridge_;
    const Theme& theme_;
    const RuntimeChoice before_;
    const GpuReader gpuReader_;
    QComboBox* model_;
    QComboBox* device_;
    QSpinBox* threads_;
    QSpinBox* context_;
    QComboBox* latents_;
    QLabel* facts_;
    LoadPlanView* plan_;
    QLabel* verdict_;
    QSpinBox* budget_;
    QLabel* places_;
    QPushButton* load_;
    QTimer soon_;
    std::optional<ModelSummary> summary_;
    std::optional<Result<GpuMemory>> gpu_;  // once it was wanted
    bool askingGpu_ = false;                // gpu_ follows
    quint64 planning_ = 0;                  // the newest request wins
};

}  // namespace pal::desktop
