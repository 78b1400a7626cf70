// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/inspect/export.h"

namespace pal::inspect {
namespace {

using Json = nlohmann::ordered_json;

struct TargetNumber {
    const char* name;
    int64_t Target::*value;
};
constexpr TargetNumber kNumbers[] = {{"token_begin", &Target::begin},  {"token_end", &Target::end},
                                     {"key_begin", &Target::keyBegin}, {"key_end", &Target::keyEnd},
                                     {"layer", &Target::layer},        {"head", &Target::head},
                                     {"region", &Target::region},      {"expert", &Target::expert},
                                     {"channel", &Target::channel},    {"source", &Target::source}};

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

// Shortest text that reads back as the same float.
std::string exact(float value) {
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

template <typename Visit>
void eachCell(const Figure& figure, Visit visit) {
    for (size_t panel = 0; panel < figure.panels.size(); ++panel) {
        const Panel& p = figure.panels[panel];
        if (p.values.empty()) continue;
        for (size_t row = 0; row < p.rows.size(); ++row)
            for (size_t column = 0; column < p.columns.size(); ++column)
                if (!std::isnan(p.values[p.cell(row, column)]) || p.kind == Panel::Kind::kTokens)
                    visit(p, CellPlace{panel, row, column}, p.cell(row, column));
    }
}

Json scaleJson(const ValueScale& scale) {
    constexpr const char* kKinds[] = {"linear", "log", "diverging"};
    return {{"kind", kKinds[static_cast<int>(scale.kind)]}, {"low", scale.low}, {"high", scale.high}};
}

Json cellJson(const Figure& figure, const Panel& panel, const CellPlace& place, size_t cell) {
    Json out{{"row", panel.rows[place.row].name}, {"column", panel.columns[place.column].name}};
    const float value = panel.values[cell];
    out["value"] = std::isnan(value) ? Json() : Json(value);
    if (!panel.low.empty()) {
        out["low"] = panel.low[cell];
        out["high"] = panel.high[cell];
    }
    if (!panel.texts.empty()) out["text"] = panel.texts[cell];
    const Target target = targetOf(figure, place);
    for (const TargetNumber& number : kNumbers)
        if (target.*number.value >= 0) out[number.name] = target.*number.value;
    return out;
}

}  // namespace

std::string csvOf(const Figure& figure) {
    std::string out = "panel,row,column,value,low,high,text";
    for (const TargetNumber& number : kNumbers) out += fmt::format(",{}", number.name);
    out += "\r\n";
    eachCell(figure, [&](const Panel& panel, const CellPlace& place, size_t cell) {
        out += fmt::format("{},{},{},{},{},{},{}", quoted(panel.title.empty() ? panel.valueName : panel.title),
                           quoted(panel.rows[place.row].name), quoted(panel.columns[place.column].name),
                           exact(panel.values[cell]), panel.low.empty() ? "" : exact(panel.low[cell]),
                           panel.high.empty() ? "" : exact(panel.high[cell]),
                           panel.texts.empty() ? "" : quoted(panel.texts[cell]));
        const Target target = targetOf(figure, place);
        for (const TargetNumber& number : kNumbers)
            out += target.*number.value >= 0 ? fmt::format(",{}", target.*number.value) : ",";
        out += "\r\n";
    });
    return out;
}

std::string jsonOf(const Figure& figure) {
    Json out{{"view", figure.view},   {"title", figure.title},   {"caption", figure.caption},
             {"width", figure.width}, {"height", figure.height}, {"panels", Json::array()}};
    if (!figure.message.empty()) out["message"] = figure.message;
    for (const Panel& panel : figure.panels) {
        Json entry{{"title", panel.title},
                   {"value", panel.valueName},
                   {"column_axis", panel.columnTitle},
                   {"scale", scaleJson(panel.scale)},
                   {"cells", Json::array()}};
        for (const ValueScale& scale : panel.rowScales) entry["row_scales"].push_back(scaleJson(scale));
        out["panels"].push_back(std::move(entry));
    }
    eachCell(figure, [&](const Panel& panel, const CellPlace& place, size_t cell) {
        out["panels"][place.panel]["cells"].push_back(cellJson(figure, panel, place, cell));
    });
    return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace pal::inspect
