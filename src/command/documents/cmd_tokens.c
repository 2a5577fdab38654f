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
    ho_call_note(call, "this is an estimate because there is no token image; run: handoff doctor");
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
static const ho_field result[] = {
    {.name = "tokens", .doc = "Number of tokens.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "tokenizer", .doc = "o200k_base, or bytes/4 for an estimate.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "tokens result", .fields = result};

const ho_command ho_command_tokens = {
    .name = "tokens",
    .group = "documents",
    .summary = "Count the tokens in a text",
    .doc = "The count is exact for the tokenizer o200k_base if the token image is installed, otherwise an estimate "
           "(bytes / 4). Other models have other tokenizers; for them, any count is an estimate.",
    .examples = "handoff tokens notes.md\nhandoff tokens - <notes.md",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
