// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lost_device.h"

#include <iostream>
#include <string>

namespace pal::cli {

bool goOnWithCpu(Terminal& terminal, const Error& error, EngineFlags& flags) {
    if (error.code != ErrorCode::kDeviceLost) return false;
    if (!terminal.inIsTerminal()) {
        terminal.errLine("The device does not answer any more. With -d cpu the question is answered on the processor.");
        return false;
    }
    terminal.status("");
    terminal.err("The device does not answer any more. Go on with the CPU? [Y/n] ");
    std::string line;
    if (!std::getline(std::cin, line) || !(line.empty() || line[0] == 'y' || line[0] == 'Y')) return false;
    terminal.errLine("Lost: {}", error.message);  // else whoever asked reports it
    flags.device = "cpu";
    flags.gpuLayers.reset();
    return true;
}

}  // namespace pal::cli
