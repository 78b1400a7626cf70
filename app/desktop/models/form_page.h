// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QFormLayout>
#include <QScrollArea>

namespace pal::desktop {

// `form` in a page that scrolls where the screen is too small for it. Else `dialog` grows with it: a text that needs another line takes none from
// what stands below. The dialog owns all of it. UI thread.
QScrollArea* makeFormPage(QFormLayout* form, QDialog& dialog);

}  // namespace pal::desktop
