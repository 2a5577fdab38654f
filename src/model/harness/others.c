/* Harnesses without hooks here: known by their variables and processes, some by their list of servers. */
#include "model/harness/harness.h"

const ho_harness ho_harness_cursor = {.name = "cursor",
                                      .inside = {"CURSOR_AGENT"},
                                      .session = {"CURSOR_SESSION_ID"},
                                      .programs = "cursor-agent",
                                      .servers = ".cursor/mcp.json",
                                      .servers_home = ".cursor/mcp.json",
                                      .servers_list = "mcpServers"};
const ho_harness ho_harness_aider = {.name = "aider", .inside = {"AIDER_MODEL"}, .programs = "aider"};
const ho_harness ho_harness_copilot = {
    .name = "copilot", .inside = {"COPILOT_AGENT"}, .programs = "copilot", .folders = "@github/copilot"};
const ho_harness ho_harness_goose = {.name = "goose", .inside = {"GOOSE_TERMINAL"}, .programs = "goose"};
const ho_harness ho_harness_amp = {
    .name = "amp", .inside = {"AMP_CURRENT_THREAD_ID"}, .programs = "amp", .folders = "@sourcegraph/amp"};
const ho_harness ho_harness_qwen = {
    .name = "qwen", .inside = {"QWEN_CODE"}, .programs = "qwen", .folders = "@qwen-code/qwen-code"};
const ho_harness ho_harness_crush = {
    .name = "crush", .inside = {"CRUSH"}, .programs = "crush", .folders = "@charmland/crush"};
/* In editors, which people work in, too. */
const ho_harness ho_harness_cline = {.name = "cline", .inside = {"CLINE_ACTIVE"}};
const ho_harness ho_harness_roo = {.name = "roo", .inside = {"ROO_ACTIVE"}};
