// SPDX-License-Identifier: Apache-2.0
// `pal ls`: the models that a command can take by name, or without one.
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/format.h"
#include "app/cli/print_json.h"
#include "app/composition/model_choice.h"
#include "engine/api/model_files.h"

namespace pal::cli {
namespace {

struct Listed {
    std::string name;
    std::string origin;  // "embedded", "PALIMPSEST_MODEL", "cache"
    Result<ModelSummary> summary;
};

// Without MODEL commands take the first.
std::vector<Listed> listModels() {
    std::vector<Listed> out;
    const auto add = [&](std::string name, const char* origin, const std::filesystem::path& path) {
        out.push_back({std::move(name), origin, describeModel(path, 0)});
    };
    const auto unnamed = chooseModel("");
    if (unnamed && unnamed->origin == ModelChoice::Origin::kEnvironment)
        add(modelName(unnamed->path), kModelVariable, unnamed->path);
    if (const auto embedded = embeddedModel()) add(modelName(embedded->path), "embedded", embedded->path);
    for (const CachedModel& model : cachedModels()) add(model.name, "cache", model.path);
    return out;
}

nlohmann::ordered_json toJson(const Listed& model) {
    nlohmann::ordered_json out{{"name", model.name}, {"origin", model.origin}};
    if (!model.summary) {
        out["problem"] = model.summary.error().message;
        return out;
    }
    out["folder"] = model.summary->folder.string();
    out["architecture"] = model.summary->architecture;
    out["has_weights"] = model.summary->hasWeights;
    out["parameters"] = model.summary->parameters;
    out["weight_bytes"] = model.summary->weightBytes;
    out["vision"] = model.summary->vision;
    return out;
}

void printRow(Terminal& terminal, const Listed& model) {
    if (!model.summary) {
        terminal.outLine("{:<44}{:>9}{:>12}  {}", model.name, "", "", model.origin);
        terminal.outLine("  cannot be used: {}", model.summary.error().message);
        return;
    }
    const ModelSummary& summary = *model.summary;
    terminal.outLine("{:<44}{:>9}{:>12}  {}", model.name, formatCount(summary.parameters),
                     summary.hasWeights ? formatBytes(summary.weightBytes) : "no weights", model.origin);
}

int runLs(Terminal& terminal, bool json) {
    const std::vector<Listed> models = listModels();
    if (json) {
        nlohmann::ordered_json out = nlohmann::ordered_json::array();
        for (const Listed& model : models) out.push_back(toJson(model));
        printJson(terminal, out);
        return kExitOk;
    }
    for (const Listed& model : models) printRow(terminal, model);
    if (models.empty()) terminal.errLine("There are no models here.");
    return kExitOk;
}

}  // namespace

void addLsCommand(CLI::App& app, Runner& selected) {
    const auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("ls", "List the models that are here, with parameters and size");
    command->add_flag("--json", *json, "Print JSON, sizes in bytes");
    command->footer(
        "That of PALIMPSEST_MODEL, the embedded one, and those of the Hugging Face cache, which a command takes by\n"
        "these names; without MODEL it takes the first of this list. Models elsewhere are named by their folder.");
    command->callback([json, &selected] { selected = [json](Terminal& terminal) { return runLs(terminal, *json); }; });
}

}  // namespace pal::cli
