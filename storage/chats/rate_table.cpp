// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/rate_table.h"

namespace pal {
namespace {

std::string_view kindName(RateKind kind) {
    return kind == RateKind::kPrefill ? "prefill" : "restore";
}

}  // namespace

Result<> RateTable::add(std::string_view model, std::string_view device, RateKind kind, double units, double seconds) {
    if (!(units > 0) || !(seconds > 0)) return {};
    return database_.run(
        "INSERT INTO rate (model, device, kind, units, seconds) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (model, "
        "device, kind) DO UPDATE SET units = units / 2 + excluded.units, seconds = seconds / 2 + excluded.seconds",
        model, device, kindName(kind), units, seconds);
}

Result<std::optional<double>> RateTable::get(std::string_view model, std::string_view device, RateKind kind) {
    PAL_ASSIGN(sqlite::Statement row,
               database_.prepare("SELECT units / seconds FROM rate WHERE model = ?1 AND device = ?2 AND kind = ?3 AND "
                                 "seconds > 0"));
    PAL_TRY(row.start(model, device, kindName(kind)));
    PAL_ASSIGN(const bool found, row.step());
    if (!found) return std::optional<double>();
    return std::optional<double>(row.real(0));
}

}  // namespace pal
