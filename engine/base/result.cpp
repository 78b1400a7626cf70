// SPDX-License-Identifier: Apache-2.0
#include "engine/base/result.h"

namespace pal {

std::string_view errorCodeName(ErrorCode code) {
    switch (code) {
        case ErrorCode::kCancelled:
            return "cancelled";
        case ErrorCode::kInvalidArgument:
            return "invalid_argument";
        case ErrorCode::kNotFound:
            return "not_found";
        case ErrorCode::kIo:
            return "io";
        case ErrorCode::kFormat:
            return "format";
        case ErrorCode::kUnsupported:
            return "unsupported";
        case ErrorCode::kOutOfMemory:
            return "out_of_memory";
        case ErrorCode::kDeviceLost:
            return "device_lost";
        case ErrorCode::kBusy:
            return "busy";
        case ErrorCode::kConflict:
            return "conflict";
        case ErrorCode::kCorrupt:
            return "corrupt";
        case ErrorCode::kInternal:
            return "internal";
    }
    return "unknown";
}

}  // namespace pal
