#include "base/term.h"
#include "command/commands.h"
#include "command/keys/key_shown.h"

static void put_decider(ho_call *call, ho_node *list, const ho_decider_line *line, const char *state)
{
  ho_key_file like = {.name = line->name, .key = line->key, .path = HO_EMPTY};
  ho_node *item = ho_list_add(list, ho_key_shown_own(call->arena, &like));
  ho_map_addz(item, "state", ho_node_textz(call->arena, state));
  ho_map_put(call->arena, item, "since", line->at);
  ho_map_put(call->arena, item, "by", line->by);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_key_file own;
  ho_deciders d;
  ho_project *project = &call->project;
  ho_code code = ho_project_begin(project, err);
  if (!code && ho_project_has_store(project))
    code = ho_open_ledger(call, false, err);
  if (!code)
    code = ho_key_file_read(call->arena, &own, err);
  if (!code)
    code = ho_deciders_load(project, call->arena, &d, err);
  if (code)
    return code;
  ho_deciders_ask_git(project, call->arena, &d);
  ho_map_addz(call->result, "own",
              own.there ? ho_key_shown_own(call->arena, &own) : ho_node_new(call->arena, HO_KIND_NULL));
  ho_map_addz(call->result, "required", ho_node_bool(call->arena, d.required));
  ho_map_addz(call->result, "confirmed", ho_node_bool(call->arena, d.confirmed));
  ho_map_put(call->arena, call->result, "project", d.project);
  ho_map_put(call->arena, call->result, "copy", ho_deciders_pin_path(project, call->arena));
  ho_node *list = ho_map_addz(call->result, "deciders", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; i < d.count; i++)
    put_decider(call, list, ho_deciders_active(&d.rows[i]) ? &d.rows[i].added : &d.rows[i].gone,
                ho_deciders_active(&d.rows[i]) ? "enrolled" : "revoked");
  for (size_t i = 0; i < d.file.count; i++)
    if (!ho_deciders_find(&d, d.file.rows[i].key) && !d.file.rows[i].revoked)
      put_decider(call, list, &d.file.rows[i], "unknown");
  HO_EACH_CONST (flaw, d.flaws)
    ho_call_note(call, "%.*s", HO_ARG(ho_node_str(flaw)));
  if (ho_deciders_unconfirmed(&d, call->arena).n)
    ho_call_note(call, "%.*s", HO_ARG(ho_deciders_unconfirmed(&d, call->arena)));
  if (d.required && !d.active)
    ho_call_note(call, "%.*s", HO_ARG(d.doubt));
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *own = ho_map_getz(call->result, "own"), *list = ho_map_getz(call->result, "deciders");
  (void)colour;
  if (ho_node_absent(own))
    ho_buf_puts(out, "You have no key; run: handoff key new\n");
  else {
    ho_buf_puts(out, "Your key:\n");
    ho_key_shown_line(out, own);
  }
  if (!list->count && ho_node_true(ho_map_getz(call->result, "required")))
    ho_buf_puts(out, "This project has deciders, but not here; see the notes.\n");
  else if (!list->count)
    ho_buf_puts(out, "This project has no deciders: decisions at gates are unsigned.\n");
  else
    ho_buf_puts(out, "Deciders of this project:\n");
  HO_EACH_CONST (item, list) {
    ho_put_padded(out, ho_map_str(item, "name"), 16);
    ho_buf_putc(out, ' ');
    ho_put_padded(out, ho_map_str(item, "state"), 9);
    ho_buf_putc(out, ' ');
    ho_term_put(out, ho_map_str(item, "fingerprint"), HO_TERM_LINE);
    ho_buf_puts(out, "  since ");
    ho_term_put(out, ho_map_str(item, "since"), HO_TERM_LINE);
    ho_buf_puts(out, ", by ");
    ho_term_put(out, ho_map_str(item, "by"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "key list", .fields = params};
static const ho_field decider_fields[] = {
    HO_TEXT_FIELD("name", "Name of the decider."),
    HO_TEXT_FIELD("key", "The public key."),
    HO_TEXT_FIELD("fingerprint", "What people compare."),
    HO_TEXT_FIELD("path", "Always null."),
    HO_TEXT_FIELD("state", "enrolled, revoked, or unknown: in the file, but not in the ledger."),
    HO_TEXT_FIELD("since", "When that was signed."),
    HO_TEXT_FIELD("by", "Who signed it."),
    HO_FIELDS_END};
static const ho_record decider_record = {.name = "decider", .fields = decider_fields};
static const ho_field result[] = {
    {.name = "own",
     .doc = "Your key; null if you have none.",
     .type = HO_T_RECORD,
     .record = &ho_key_shown_record,
     .flags = HO_NULLABLE},
    {.name = "required", .doc = "True if only signed decisions count in this project.", .type = HO_T_BOOL},
    {.name = "confirmed", .doc = "True if you have trusted the first decider's key.", .type = HO_T_BOOL},
    HO_TEXT_FIELD("project", "Id of the project in signatures."),
    HO_TEXT_FIELD("copy", "Path of the copy of the deciders outside the project."),
    HO_LIST_FIELD("deciders", "Who decides in this project.", decider_record),
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "key list result", .fields = result};

const ho_command ho_command_key_list = {
    .name = "key list",
    .group = "keys",
    .summary = "List your key and the deciders of this project",
    .doc = "The line of your key is what a decider needs to enrol you. A decider who is unknown is named in "
           ".handoff/deciders, but was never enrolled in this ledger, and decides nothing.",
    .examples = "handoff key list",
    .local = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
