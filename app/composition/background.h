// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pal {

// Puts the calling thread, and threads and programs that it starts from now on, behind the process's first thread, where people have their
// hands: whenever that one (or another program) wants a core, it gets one at once. On an idle machine nothing becomes slower. Can be repeated.
void stepBack();

}  // namespace pal
