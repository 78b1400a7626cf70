// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QTimer>
#include <QVBoxLayout>
#include <chrono>
#include <utility>

#include "app/composition/model_choice.h"
#include "app/desktop/bridge/error_text.h"
#include "app/desktop/bridge/plain_words.h"
#include "app/desktop/frame/about.h"
#include "app/desktop/frame/command_palette.h"
#include "app/desktop/frame/diagnostics.h"
#include "app/desktop/frame/log_file.h"
#include "app/desktop/frame/shortcut_list.h"
#include "app/desktop/models/model_dialog.h"
#include "app/desktop/models/settings_dialog.h"
#include "app/desktop/style/icons.h"
#include "app/desktop/transcript/citations.h"
#include "vision/documents/locked_pdf.h"

namespace pal::desktop {
namespace {

// Until a window that is not painted (minimised, on another desktop) begins its work.
constexpr std::chrono::milliseconds kUnseen{300};

}  // namespace

MainWindow::MainWindow(Bridge& bridge, Theme& theme, Preferences& preferences)
    : bridge_(bridge),
      theme_(theme),
      preferences_(preferences),
      chat_(bridge),
      actions_(*this, theme),
      split_(new QSplitter(this)),
      panel_(new SessionPanel(bridge, theme, this)),
      sidebar_(new QToolButton(this)),
      title_(new ElidedLabel(this)),
      settings_(new QToolButton(this)),
      model_(new QToolButton(this)),
      stopLoading_(new QToolButton(this)),
      notices_(new NoticeBar(theme, this)),
      pane_(new ChatPane(bridge, chat_, theme, this)),
      inspect_(new InspectDock(bridge, chat_, theme, this)) {
    build();
    connectChat();
    connectActions();
    connectView();
    connectInspect();
    restyle();
    connect(&theme_, &Theme::changed, this, &MainWindow::restyle);
    chat_.startNew(preferences_.session());
}

void MainWindow::build() {
    setWindowTitle(QStringLiteral("Palimpsest"));
    setAcceptDrops(true);
    sidebar_->setDefaultAction(actions_.get(Command::kSidebar));
    settings_->setDefaultAction(actions_.get(Command::kSessionSettings));
    for (QToolButton* button : {sidebar_, settings_}) {
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setAccessibleName(plainName(button->defaultAction()->text()));
    }
    title_->setObjectName(QStringLiteral("sessionTitle"));
    model_->setObjectName(QStringLiteral("modelButton"));
    model_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    stopLoading_->setObjectName(QStringLiteral("stopLoading"));
    stopLoading_->setIcon(icon(QStringLiteral("stop"), theme_));
    stopLoading_->setToolTip(tr("Stop loading the model"));
    stopLoading_->setAccessibleName(stopLoading_->toolTip());
    stopLoading_->hide();
    connect(stopLoading_, &QToolButton::clicked, this, [this] { loadStop_.request_stop(); });
    auto* header = new QHBoxLayout();
    header->setContentsMargins(theme_.space(2), theme_.space(1), theme_.space(2), theme_.space(1));
    header->addWidget(sidebar_);
    header->addWidget(title_, 1);
    header->addWidget(settings_);
    header->addWidget(model_);
    header->addWidget(stopLoading_);

    auto* middle = new QWidget(this);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(header);
    column->addWidget(notices_);
    column->addWidget(pane_, 1);
    split_->addWidget(panel_);
    split_->addWidget(middle);
    split_->setStretchFactor(0, 0);
    split_->setStretchFactor(1, 1);
    split_->setHandleWidth(1);
    split_->setChildrenCollapsible(false);
    setCentralWidget(split_);
    setDockNestingEnabled(true);
    addDockWidget(isRightToLeft() ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, inspect_);
    inspect_->hide();

    resize(QSize(theme_.space(300), theme_.space(200)).boundedTo(screen()->availableSize()));
    split_->setSizes({theme_.space(70), theme_.space(230)});
    if (const QByteArray geometry = preferences_.geometry(QStringLiteral("frame")); !geometry.isEmpty())
        restoreGeometry(geometry);
    if (const QByteArray sizes = preferences_.geometry(QStringLiteral("split")); !sizes.isEmpty())
        split_->restoreState(sizes);
    showModel(tr("No model"), false);
}

void MainWindow::connectChat() {
    connect(&bridge_, &Bridge::opened, this, &MainWindow::opened);
    connect(&bridge_, &Bridge::openFailed, this, &MainWindow::openFailed);
    connect(&bridge_, &Bridge::problem, this, [this](const Error& error) { tell(error); });
    connect(&bridge_, &Bridge::modelLoading, this, &MainWindow::showLoading);
    connect(&bridge_, &Bridge::closed, this, [this](const std::optional<Error>& problem) {
        if (problem) note(*problem);
        finished_ = true;
        Q_EMIT finished();
    });
    connect(&chat_, &Chat::shown, this, &MainWindow::sessionShown);
    connect(&chat_, &Chat::summaryChanged, this, &MainWindow::sessionShown);
    connect(&chat_, &Chat::started, this, [this](const TurnStart& start) {
        qCInfo(logTurn).nospace() << "session " << start.session << ", message " << start.reply << ": "
                                  << start.promptTokens << " tokens asked";
        panel_->setRunning(start.session);
        updateActions();
    });
    connect(&chat_, &Chat::ended, this, [this](const TurnEnd& end) {
        panel_->setRunning(0);
        qCInfo(logTurn).nospace() << "message " << end.report.reply << ": " << end.report.prompt.reused << " reused, "
                                  << end.report.prompt.computed << " computed in " << end.report.readSeconds << " s, "
                                  << end.report.done.generated << " written in " << end.report.done.decodeSeconds
                                  << " s";
        if (end.error && end.error->code == ErrorCode::kDeviceLost) {
            offerCpu(*end.error, end.report.session, end.report.reply);
        } else if (end.error) {
            tell(*end.error);
        }
        updateActions();
    });
    connect(&chat_, &Chat::refused, this, [this](const Error& error) {
        tell(error);
        updateActions();
    });
    connect(&chat_, &Chat::failed, this, [this](const Error& error) { tell(error); });
    connect(&chat_, &Chat::forked, this, &MainWindow::openSession);
    connect(&chat_, &Chat::left, this, [this](SessionId session, MessageId head) {
        notices_->add({NoticeBar::Kind::kInfo, tr("The session goes on before that message. Nothing is erased."),
                       tr("Undo"),
                       [this, session, head] {
                           if (chat_.session() == session) chat_.setHead(head);
                       },
                       12, session});
    });
    connect(pane_, &ChatPane::failed, this, [this](const Error& error) { tell(error); });
    connect(pane_, &ChatPane::told, this, [this](const QString& text) { tell(text); });
    connect(panel_, &SessionPanel::chosen, this, &MainWindow::openSession);
    connect(panel_, &SessionPanel::messageChosen, pane_, &ChatPane::openAt);
    connect(panel_, &SessionPanel::menuWanted, this, &MainWindow::sessionMenu);
    connect(panel_, &SessionPanel::newWanted, this, &MainWindow::newSession);
    connect(panel_, &SessionPanel::deleteWanted, this, &MainWindow::deleteSession);
    connect(panel_, &SessionPanel::failed, this, [this](const Error& error) { tell(error); });
}

void MainWindow::connectActions() {
    actions_.on(Command::kNewSession, [this] { newSession(); });
    actions_.on(Command::kRename, [this] { renameSession(); });
    actions_.on(Command::kMoveToFolder, [this] { moveToFolder(); });
    actions_.on(Command::kDelete, [this] { deleteSession(chat_.session()); });
    actions_.on(Command::kExport, [this] { exportSessions(); });
    actions_.on(Command::kImport, [this] {
        importSessions(QFileDialog::getOpenFileNames(
            this, tr("Import sessions"), {},
            tr("Sessions of Palimpsest, ChatGPT, Open WebUI (*.palimpsest *.json *.zip);;All files (*)")));
    });
    actions_.on(Command::kQuit, [this] { close(); });
    actions_.on(Command::kAttach, [this] { pane_->chooseFiles(); });
    actions_.on(Command::kFind, [this] { pane_->openFind(); });
    actions_.on(Command::kEditQuestion, [this] {
        if (const Message* question = lastOf(Role::kUser)) pane_->startEdit(question->node.id);
    });
    actions_.on(Command::kStop, [this] { chat_.stop(); });
    actions_.on(Command::kUndo, [this] { notices_->act(); });
    actions_.on(Command::kRegenerate, [this] {
        if (const Message* reply = lastOf(Role::kAssistant)) chat_.regenerate(reply->node.id);
    });
    actions_.on(Command::kFork, [this] {
        if (chat_.head() != 0) chat_.fork(chat_.head());
    });
    const auto sibling = [this](int step) {
        // The last message that has others beside it.
        for (auto message = chat_.messages().rbegin(); message != chat_.messages().rend(); ++message) {
            if (chat_.tree().siblings(message->node.id).size() < 2) continue;
            chat_.showSibling(message->node.id, step);
            return;
        }
    };
    actions_.on(Command::kPreviousSibling, [sibling] { sibling(-1); });
    actions_.on(Command::kNextSibling, [sibling] { sibling(+1); });
    actions_.on(Command::kSearch, [this] {
        actions_.get(Command::kSidebar)->setChecked(true);
        panel_->focusSearch();
    });
    actions_.on(Command::kPalette, [this] { CommandPalette(actions_.all(), this).exec(); });
    actions_.on(Command::kDiagnostics, [this] {
        QGuiApplication::clipboard()->setText(diagnostics(modelInfo_, problems_));
        tell(tr("Diagnostics are in the clipboard. They hold no message; errors in them may name files."));
    });
    actions_.on(Command::kAbout, [this] { About(theme_, this).exec(); });
    actions_.on(Command::kShortcuts, [this] { ShortcutList(*menuBar(), theme_, this).exec(); });
}

void MainWindow::connectView() {
    QAction* sidebar = actions_.get(Command::kSidebar);
    sidebar->setChecked(true);
    connect(sidebar, &QAction::toggled, panel_, &QWidget::setVisible);
    actions_.on(Command::kNextPane, [this] { nextPane(); });
    const auto zoom = [this](double value) {
        theme_.setZoom(value);
        preferences_.setZoom(theme_.zoom());
    };
    actions_.on(Command::kZoomIn, [this, zoom] { zoom(theme_.zoom() * 1.1); });
    actions_.on(Command::kZoomOut, [this, zoom] { zoom(theme_.zoom() / 1.1); });
    actions_.on(Command::kZoomReset, [zoom] { zoom(1); });
    const auto scheme = [this](Command command, Preferences::SchemeChoice choice) {
        actions_.get(command)->setChecked(preferences_.scheme() == choice);
        actions_.on(command, [this, choice] { Q_EMIT schemeChosen(choice); });
    };
    scheme(Command::kSchemeSystem, Preferences::SchemeChoice::kSystem);
    scheme(Command::kSchemeLight, Preferences::SchemeChoice::kLight);
    scheme(Command::kSchemeDark, Preferences::SchemeChoice::kDark);
    connect(actions_.get(Command::kFullScreen), &QAction::toggled, this,
            [this](bool full) { full ? showFullScreen() : showNormal(); });
    connect(model_, &QToolButton::clicked, actions_.get(Command::kModel), &QAction::trigger);
    actions_.on(Command::kModel, [this] { chooseModel(); });
    actions_.on(Command::kSessionSettings, [this] { chooseSettings(); });
}

void MainWindow::connectInspect() {
    QAction* shown = actions_.get(Command::kInspect);
    connect(shown, &QAction::toggled, inspect_, &QWidget::setVisible);
    connect(inspect_, &QDockWidget::visibilityChanged, shown,
            [this, shown] { shown->setChecked(!inspect_->isHidden()); });
    actions_.on(Command::kInspectWindow, [this] { inspect_->openWindow(); });
    connect(inspect_, &InspectDock::failed, this, [this](const Error& error) { tell(error); });
    connect(inspect_, &InspectDock::regionOpened, this, [this](const inspect::Region& region) {
        if (region.attachment < 0) return pane_->transcript().scrollToMessage(region.message);
        Citation place{0, 0, static_cast<size_t>(region.attachment), region.page, {}};
        if (region.seconds >= 0) place.seconds = region.seconds;
        pane_->openCitation(citationTarget(place), region.message);
    });
    connect(this, &MainWindow::modelReady, &inspect_->feed(), &InspectFeed::modelLoaded);
    connect(&pane_->transcript(), &TranscriptView::wordClicked, inspect_, &InspectDock::selectWord);
}

void MainWindow::restyle() {
    setFont(theme_.body());
    QFont bold = theme_.body();
    bold.setWeight(QFont::DemiBold);
    title_->setFont(bold);
}

void MainWindow::start(const WorkplaceOptions& options) {
    pane_->focusComposer();
    opening_ = options;
    QTimer::singleShot(kUnseen, this, &MainWindow::open);
}

// The first picture of the window shares no core with what opens the data folder and loads the model.
void MainWindow::paintEvent(QPaintEvent* event) {
    QMainWindow::paintEvent(event);
    if (opening_) QTimer::singleShot(0, this, &MainWindow::open);
}

void MainWindow::open() {
    if (const auto options = std::exchange(opening_, std::nullopt)) bridge_.open(*options);
}

void MainWindow::opened(const QStringList& notes) {
    for (const QString& note : notes) qCWarning(logSessions) << qPrintable(withoutHome(note));
    for (const QString& note : notes) notices_->add({NoticeBar::Kind::kWarning, plainWords(note)});
    connect(
        &panel_->tree(), &SessionTree::loaded, this,
        [this] {
            const SessionId last = preferences_.lastSession();
            if (panel_->tree().summary(last) == nullptr) return becomeReady();
            connect(&chat_, &Chat::shown, this, &MainWindow::becomeReady, Qt::SingleShotConnection);
            connect(&chat_, &Chat::failed, this, &MainWindow::becomeReady, Qt::SingleShotConnection);
            openSession(last);
        },
        Qt::SingleShotConnection);
    pane_->loadDrafts();  // first: the session of the last time is shown with its own
    panel_->tree().reload();
    loadModel();
}

void MainWindow::becomeReady() {
    if (!std::exchange(ready_, true)) Q_EMIT ready();
}

void MainWindow::openFailed(const Error& error) {
    tell(error, tr("The sessions cannot be opened, so nothing can be asked. %1"));
}

void MainWindow::loadModel() {
    if (loading_ || chat_.isBusy()) return;
    loading_ = true;
    loadStop_ = {};
    stopLoading_->show();
    modelInfo_.reset();
    pane_->setModel({});
    showModel(tr("Loading the model…"), false);
    updateActions();
    bridge_.engine(
        this,
        [named = preferences_.model().toStdString(), options = engineOptions(),
         stop = loadStop_.get_token()](EngineDesk& desk) -> Result<LoadedModel> {
            PAL_ASSIGN(const ModelChoice choice, pal::chooseModel(named));
            PAL_ASSIGN(LoadedModel loaded, desk.loadModel(choice.path, options, stop));
            loaded.embedded = choice.origin == ModelChoice::Origin::kEmbedded;
            return loaded;
        },
        [this](const Result<LoadedModel>& model) { modelLoaded(model); });
}

void MainWindow::modelLoaded(const Result<LoadedModel>& model) {
    loading_ = false;
    stopLoading_->hide();
    if (!model) {
        lost_ = {};
        showModel(tr("No model"), false);
        qCWarning(logModel) << "not loaded:" << qPrintable(withoutHome(errorText(model.error())));
        const bool stopped = model.error().code == ErrorCode::kCancelled;
        notices_->add({stopped ? NoticeBar::Kind::kInfo : NoticeBar::Kind::kError,
                       stopped ? tr("Loading the model was stopped")
                               : tr("The model was not loaded: %1").arg(errorText(model.error())),
                       tr("Choose a model…"), [this] { actions_.get(Command::kModel)->trigger(); }});
    } else {
        const ModelInfo& info = model->info;
        modelInfo_ = info;
        showModel(QString::fromStdString(modelName(info.folder)), true);
        model_->setToolTip(tr("%1 on %2, context of %3 tokens")
                               .arg(QString::fromStdString(info.architecture), QString::fromStdString(info.device),
                                    QLocale().toString(qlonglong(info.contextTokens))));
        pane_->setModel(*model);
        qCInfo(logModel).nospace() << "loaded " << info.architecture.c_str() << " on " << info.device.c_str()
                                   << ", context " << info.contextTokens;
        Q_EMIT modelReady();
        answerWhatWasLost();
    }
    updateActions();
}

EngineOptions MainWindow::engineOptions() const {
    EngineOptions out = preferences_.engine();
    if (withoutGpu_) out.device = Device::kCpu;
    return out;
}

// The device does not come back, what was stored goes on elsewhere.
void MainWindow::offerCpu(const Error& error, SessionId session, MessageId reply) {
    note(error);
    const QString text = tr("%1. What was stored goes on with the processor.").arg(errorText(error));
    if (notices_->text() == text) return;
    notices_->add({NoticeBar::Kind::kError, text, tr("Go on with the CPU"), [this, session, reply] {
                       withoutGpu_ = true;
                       lost_ = {session, reply};
                       loadModel();
                   }});
}

void MainWindow::answerWhatWasLost() {
    const auto [session, reply] = std::exchange(lost_, {});
    if (reply != 0 && session == chat_.session()) chat_.regenerate(reply);
}

void MainWindow::showLoading(const LoadProgress& at) {
    if (!loading_ || at.totalBytes == 0) return;
    const QLocale locale;
    showModel(tr("Loading the model: %1 %, file %2 of %3")
                  .arg(locale.toString(100.0 * double(at.doneBytes) / double(at.totalBytes), 'f', 0),
                       locale.toString(qulonglong(at.shard)), locale.toString(qulonglong(at.shards))),
              false);
}

void MainWindow::chooseModel() {
    ModelDialog dialog(bridge_, {preferences_.model(), preferences_.engine(), 0}, theme_, this);
    if (dialog.exec() != QDialog::Accepted) return;
    const RuntimeChoice choice = dialog.choice();
    preferences_.setModel(choice.model, choice.engine);
    withoutGpu_ = false;
    lost_ = {};
    if (choice.stateGibibytes > 0) {
        bridge_.engine(
            this,
            [bytes = static_cast<uint64_t>(choice.stateGibibytes) << 30](EngineDesk& desk) -> Result<> {
                if (desk.place() == nullptr) return fail(ErrorCode::kBusy, "the data folder is not open");
                return desk.place()->setStateBudget(bytes);
            },
            [this](const Result<>& done) {
                if (!done) tell(done.error());
            });
    }
    loadModel();
}

void MainWindow::chooseSettings() {
    SettingsDialog dialog(settingsFrom(chat_.summary().settings), Presets(preferences_.presetFolder()), theme_, this);
    if (dialog.exec() != QDialog::Accepted) return;
    chat_.setSettings(dialog.settings());
    if (dialog.forNewSessions()) preferences_.setSession(dialog.settings());
}

void MainWindow::showModel(const QString& text, bool good) {
    model_->setIcon(icon(QStringLiteral("model"), theme_, good ? IconColour::kText : IconColour::kMuted));
    model_->setText(model_->fontMetrics().elidedText(text, Qt::ElideMiddle, theme_.space(70)));
    model_->setAccessibleName(tr("Model: %1").arg(text));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (finished_) {
        event->accept();
        return;
    }
    // The window goes at once; states are written behind it. A model that is being loaded is not waited for.
    loadStop_.request_stop();
    opening_.reset();
    event->ignore();
    preferences_.setGeometry(QStringLiteral("frame"), saveGeometry());
    preferences_.setGeometry(QStringLiteral("split"), split_->saveState());
    preferences_.setLastSession(chat_.session());
    preferences_.sync();
    pane_->keepDraft();
    hide();
    bridge_.close();
}

// What is dropped anywhere on the window goes where it belongs.
void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (Composer::canTake(*event->mimeData())) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    if (const QStringList files = localFiles(*event->mimeData()); !files.isEmpty()) {
        openFiles(files);
    } else {
        pane_->takeDrop(*event->mimeData());
    }
    event->acceptProposedAction();
    activateWindow();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        actions_.get(Command::kFullScreen)->setChecked(windowState().testFlag(Qt::WindowFullScreen));
}

const Message* MainWindow::lastOf(Role role) const {
    for (auto message = chat_.messages().rbegin(); message != chat_.messages().rend(); ++message)
        if (message->node.role == role) return &*message;
    return nullptr;
}

void MainWindow::tell(const Error& error, const QString& saying) {
    if (error.code == ErrorCode::kCancelled) return;
    note(error);
    if (passwordWish(error) != PasswordWish::kNone) {
        notices_->add({NoticeBar::Kind::kError, saying.arg(errorText(error)), tr("Give the password…"),
                       [this] { pane_->askPassword(); }});
        return;
    }
    notices_->add({NoticeBar::Kind::kError, saying.arg(errorText(error))});
}

void MainWindow::note(const Error& error) {
    // In technical words: for whoever is to find the cause.
    const QString text = QString::fromStdString(fmt::format("{}: {}", errorCodeName(error.code), error.message));
    qCWarning(logWindow) << qPrintable(withoutHome(text));
    problems_ << text;
    if (problems_.size() > 50) problems_.removeFirst();
}

void MainWindow::tell(const QString& text) {
    notices_->add({NoticeBar::Kind::kInfo, text, {}, {}, 8});
}

void MainWindow::nextPane() {
    const QWidget* focus = QApplication::focusWidget();
    if (focus != nullptr && panel_->isAncestorOf(focus)) {
        pane_->focusTranscript();
    } else if (pane_->composerHasFocus() && inspect_->isVisible()) {
        inspect_->panel().figure().setFocus(Qt::TabFocusReason);
    } else if ((pane_->composerHasFocus() || (focus != nullptr && inspect_->isAncestorOf(focus))) &&
               panel_->isVisible()) {
        panel_->focusList();
    } else {
        pane_->focusComposer();
    }
}

}  // namespace pal::desktop
