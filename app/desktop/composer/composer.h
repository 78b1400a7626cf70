// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMetaType>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/desktop/composer/attachment_list.h"
#include "app/desktop/composer/attachment_model.h"
#include "app/desktop/composer/attachment_reader.h"
#include "app/desktop/composer/context_meter.h"
#include "app/desktop/composer/input_edit.h"
#include "app/desktop/composer/prompt_count.h"
#include "app/desktop/composer/refusal_bar.h"
#include "app/desktop/composer/worker.h"
#include "app/desktop/style/elided_label.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// A question with what is attached to it, read and ready for attach() (app/composition/attachments.h).
struct ComposedRequest {
    QString text;
    std::vector<AttachedFile> attachments;
};

// What is being written, as it is; kept while another session is shown.
struct ComposerDraft {
    QString text;
    std::vector<AttachmentItem> attachments;
    [[nodiscard]] bool empty() const { return text.isEmpty() && attachments.empty(); }
};

// One after the other.
[[nodiscard]] ComposerDraft joined(ComposerDraft first, ComposerDraft second);

// Where a question is written: text, attachments as cards, what it costs of the context, and what would make it fit. Files are read and
// tokens counted on threads of its own; the UI thread never waits. What is not ready when Enter is pressed is waited for, then sent.
class Composer : public QWidget {
    Q_OBJECT

  public:
    enum class Mode { kNoModel, kReady, kAnswering };

    explicit Composer(const Theme& theme, QWidget* parent = nullptr);

    // Of the model and session that the question goes to. Attachments are read again when another model sees differently.
    void setContext(const ComposerContext& context);
    // Sending is possible in kReady; in kAnswering the send button stops the answer.
    void setMode(Mode mode);
    // How documents are read: helper, limits, password.
    void setReading(const DocumentOptions& reading) { reading_ = reading; }
    // Where pasted pictures become files; before, they lie in a folder that goes with the program.
    void setPasteFolder(const QString& folder) { pasteFolder_ = folder; }
    // Asks for the password of locked PDFs and reads again what waits for it.
    void askPassword();

    // What is written now, also where it is not ready. Setting it reads attachments that were not read yet; nothing else is done again.
    [[nodiscard]] ComposerDraft draft() const;
    void setDraft(ComposerDraft draft);
    // After the receiver of sendRequested() took it over.
    void clear();

    void addFiles(const QStringList& paths);  // of a folder those that the user ticks
    void addText(const QString& text, const QString& name);
    void addImage(const QImage& image);
    void chooseFiles();  // with a dialog
    // Files, images and text of a drop, also of one beside the composer.
    [[nodiscard]] static bool canTake(const QMimeData& dropped);
    void take(const QMimeData& dropped);
    // As Enter: sends now, or when everything is read and counted.
    void submit();
    void open(AttachmentId id);
    void remove(AttachmentId id);
    void focusInput() { input_->setFocus(Qt::OtherFocusReason); }

    [[nodiscard]] const AttachmentModel& attachments() const { return model_; }
    // Of what is written now; nothing while it is counted or something cannot be.
    [[nodiscard]] const std::optional<PromptCount>& count() const { return count_; }
    // Whether Enter was pressed and something is waited for.
    [[nodiscard]] bool waiting() const { return waiting_; }

  Q_SIGNALS:
    void sendRequested(const pal::desktop::ComposedRequest& request);
    void stopRequested();
    // What draft() returns is other than before.
    void changed();
    void counted();
    // Of locked PDFs, from now on: all that were given, a line each (DocumentOptions::password).
    void passwordsGiven(const QString& passwords);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void build();
    void connectParts();
    void dress();
    [[nodiscard]] ComposedRequest request() const;
    void add(AttachedFile file, const QImage& image);
    void chooseFrom(const QString& folder);
    void read(AttachmentId id);
    void readAgain(AttachmentId id);
    void finish(AttachmentId id, Result<AttachmentFacts> facts);
    void setOptions(AttachmentId id, const AttachmentOptions& options);
    void undoRemove();
    void edited();
    void countAgain();
    void countNow();
    void finishCount(uint64_t number, Result<PromptCount> count);
    void apply(const Choice& choice);
    void wait(const QString& why);
    void stopWaiting();
    void say(const QString& text);
    void showButtons();

    struct Reading {
        AttachmentId id = 0;
        std::stop_source stop;
        QImage image;
    };
    struct Removed {
        AttachmentItem item;
        int row = 0;
    };

    const Theme& theme_;
    AttachmentModel model_;
    ComposerContext context_;
    DocumentOptions reading_;
    Mode mode_ = Mode::kNoModel;
    RefusalBar* refusal_;
    AttachmentList* list_;
    InputEdit* input_;
    QToolButton* attach_;
    ElidedLabel* status_;
    QPushButton* undo_;
    ContextMeter* meter_;
    QToolButton* send_;
    QTemporaryDir pasted_;
    QString pasteFolder_;
    QTimer countSoon_;
    AttachmentId nextId_ = 1;
    int pastedTexts_ = 0, pastedImages_ = 0;
    std::vector<Reading> readings_;
    std::optional<Removed> removed_;
    std::optional<PromptCount> count_;
    uint64_t counting_ = 0;  // number of the newest count
    std::stop_source countStop_;
    bool waiting_ = false;
    bool dropping_ = false;
    // They end first, since their jobs deliver here.
    Worker reader_;
    Worker counter_;
};

}  // namespace pal::desktop

Q_DECLARE_METATYPE(pal::desktop::ComposedRequest)
