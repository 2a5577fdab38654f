#include "command/call.h"
#include "command/commands.h"
#include "command/help/completion.h"

static const struct {
  const char *name;
  void (*write)(ho_buf *out);
} shells[] = {{"bash", ho_completion_bash}, {"zsh", ho_completion_zsh}, {"fish", ho_completion_fish}};

static ho_code run(ho_call *call, ho_error *err)
{
  ho_buf text;
  ho_str shell = ho_arg_str(call, "shell");
  ho_buf_init(&text, 0);
  for (size_t i = 0; i < HO_COUNT(shells); i++)
    if (ho_str_is(shell, shells[i].name))
      shells[i].write(&text);
  ho_map_addz(call->result, "shell", ho_node_text(call->arena, shell));
  ho_map_addz(call->result, "text", ho_node_text(call->arena, ho_buf_move(&text, call->arena)));
  return ho_arena_code(call->arena, err);
}

static const ho_choice shell_names[] = {{.value = "bash", .doc = "source <(handoff completion bash)"},
                                        {.value = "zsh", .doc = "handoff completion zsh >\"${fpath[1]}/_handoff\""},
                                        {.value = "fish", .doc = "handoff completion fish | source"},
                                        {0}};
static const ho_field params[] = {{.name = "shell",
                                   .label = "SHELL",
                                   .doc = "The shell; to load the script:",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL,
                                   .choices = shell_names},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "completion", .fields = params};
static const ho_field result[] = {
    {.name = "shell", .doc = "Name of the shell.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "text", .doc = "The script.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record result_record = {.name = "completion result", .fields = result};

const ho_command ho_command_completion = {
    .name = "completion",
    .group = "setup",
    .summary = "Print a shell completion script",
    .doc = "The script completes commands, options, formats and files.",
    .examples = "handoff completion bash",
    .effect = HO_EFFECT_NONE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = ho_render_text,
};
