#include "command/call.h"
#include "command/commands.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_str text;
  ho_code code = ho_read_text(call, ho_arg_str(call, "path"), &text, err);
  if (code)
    return code;
  const ho_tokens *tokens = ho_host_tokens(call->host);
  ho_map_addz(call->result, "tokens", ho_node_number(call->arena, (long long)ho_tokens_count(tokens, text)));
  ho_map_addz(call->result, "tokenizer", ho_node_textz(call->arena, ho_tokens_name(tokens)));
  if (!tokens)
    ho_note(call, "an estimate: there is no token image; 'handoff doctor' says where it is looked for");
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_buf_printf(out, "%.*s %.*s\n", HO_ARG(ho_map_str(call->result, "tokens")),
                HO_ARG(ho_map_str(call->result, "tokenizer")));
}

static const ho_field params[] = {{.name = "path",
                                   .label = "PATH",
                                   .doc = "A file, or '-' for standard input.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "tokens", .fields = params};
static const ho_field result[] = {{.name = "tokens", .doc = "How many.", .type = HO_T_INT, .flags = HO_REQUIRED},
                                  {.name = "tokenizer",
                                   .doc = "o200k_base, or bytes/4 where it is an estimate.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "tokens result", .fields = result};

const ho_command ho_command_tokens = {
    .name = "tokens",
    .group = "documents",
    .summary = "Count the tokens of a text",
    .doc = "Counts the tokens of a text by o200k_base, exactly, where the token image is installed; else it gives an "
           "estimate (bytes / 4) and says so. Other models have other tokenizers: for them every count is an estimate.",
    .examples = "handoff tokens notes.md\nhandoff tokens - <notes.md",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
