// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/window_style.h"

#include <QApplication>

namespace pal::desktop {
namespace {

// %name are replaced by colours and lengths.
const QString kSheet = QStringLiteral(R"(
QMainWindow, QDialog, QMenuBar { background: %window; }
QMenuBar::item { padding: %smallpx %bigpx; background: transparent; border-radius: %radiuspx; }
QMenuBar::item:selected { background: %raised; }
QMenu { background: %surface; border: 1px solid %faint; padding: %smallpx; }
QMenu::item { padding: %smallpx %widepx %smallpx %widepx; border-radius: %radiuspx; }
QMenu::item:selected { background: %selection; color: %text; }
QMenu::item:disabled { color: %muted; }
QMenu::separator { height: 1px; background: %faint; margin: %smallpx; }
QMenu::icon { padding-left: %bigpx; }
QToolButton { border: 1px solid transparent; border-radius: %radiuspx; padding: %smallpx; background: transparent; }
QToolButton:hover, QToolButton:checked { background: %raised; }
QToolButton:focus, QPushButton:focus { border: 1px solid %accent; }
QToolButton::menu-indicator { image: none; }
QPushButton { border: 1px solid %faint; border-radius: %radiuspx; padding: %smallpx %bigpx; background: %surface; }
QPushButton:hover { background: %raised; }
QPushButton:disabled { color: %muted; }
QPushButton:default, QPushButton#primary { background: %accent; color: %onAccent; border: 1px solid %accent; }
QPushButton:default:disabled, QPushButton#primary:disabled { background: %raised; color: %muted; border-color: %faint; }
QLineEdit { border: 1px solid %faint; border-radius: %radiuspx; padding: %smallpx; background: %surface; selection-background-color: %selection; selection-color: %text; }
QLineEdit:focus { border: 1px solid %accent; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QTreeView { show-decoration-selected: 0; }
QTreeView#sessionTree, QListView#sessionHits { background: %window; }
QSpinBox QLineEdit, QDoubleSpinBox QLineEdit { border: none; padding: 0; background: transparent; }
QFrame#notice { background: %raised; border: 1px solid %faint; border-radius: %radiuspx; }
QScrollArea#welcome, QWidget#welcomePage { background: %surface; }
QLabel#muted { color: %muted; }
QLabel#picture { border: 1px solid %faint; }
QListWidget::item:selected { background: %selection; color: %text; }
QSplitter::handle { background: %faint; }
QScrollBar:vertical { background: transparent; width: %barpx; margin: 0; }
QScrollBar:horizontal { background: transparent; height: %barpx; margin: 0; }
QScrollBar::handle { background: %faint; border-radius: %halfbarpx; min-height: %longpx; min-width: %longpx; }
QScrollBar::handle:hover { background: %muted; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; width: 0; height: 0; }
QToolTip { background: %raised; color: %text; border: 1px solid %faint; padding: %smallpx; }
QGroupBox { border: 1px solid %faint; border-radius: %radiuspx; margin-top: %longpx; padding: %bigpx; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; color: %muted; }
QTabWidget::pane { border: 1px solid %faint; border-radius: %radiuspx; top: -1px; }
)");

QString filled(const Theme& theme) {
    const Colours& c = theme.colours();
    const std::pair<const char*, QString> values[] = {
        {"%window", c.window.name()},
        {"%surface", c.surface.name()},
        {"%raised", c.raised.name()},
        {"%selection", c.selection.name()},
        {"%faint", c.faint.name()},
        {"%muted", c.muted.name()},
        {"%onAccent", c.onAccent.name()},
        {"%accent", c.accent.name()},
        {"%text", c.text.name()},
        {"%halfbar", QString::number(theme.space(2) / 2 - 1)},
        {"%bar", QString::number(theme.space(2))},
        {"%small", QString::number(theme.space(1))},
        {"%big", QString::number(theme.space(2))},
        {"%wide", QString::number(theme.space(5))},
        {"%long", QString::number(theme.space(5))},
        {"%radius", QString::number(theme.radius())},
    };
    QString sheet = kSheet;
    for (const auto& [name, value] : values) sheet.replace(QLatin1String(name), value);
    return sheet;
}

}  // namespace

void applyTheme(const Theme& theme) {
    QApplication::setPalette(theme.palette());
    qApp->setStyleSheet(filled(theme));
}

}  // namespace pal::desktop
