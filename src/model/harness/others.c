/* Harnesses that are known only by their variables and processes. */
#include "model/harness/harness.h"

const ho_harness ho_harness_opencode = {.name = "opencode",
                                        .inside = {"OPENCODE"},
                                        .session = {"OPENCODE_SESSION_ID"},
                                        .programs = "opencode",
                                        .package = "opencode-ai"};
const ho_harness ho_harness_cursor = {
    .name = "cursor", .inside = {"CURSOR_AGENT"}, .session = {"CURSOR_SESSION_ID"}, .programs = "cursor-agent"};
const ho_harness ho_harness_aider = {.name = "aider", .inside = {"AIDER_MODEL"}, .programs = "aider"};
const ho_harness ho_harness_copilot = {
    .name = "copilot", .inside = {"COPILOT_AGENT"}, .programs = "copilot", .package = "@github/copilot"};
