/* trust: what of a project may be used although it may have come with a clone. */
#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "doc/yaml/yaml.h"

/* The items that the project has, with their state. */
static void put_items(ho_call *call)
{
  ho_trust *trust = call->project.trust;
  ho_node *list = ho_map_addz(call->result, "items", ho_node_new(call->arena, HO_KIND_LIST));
  for (int i = 0; i < HO_TRUST_COUNT; i++) {
    ho_trust_state state = ho_trust_of(trust, (ho_trust_item)i);
    if (state == HO_TRUST_ABSENT)
      continue;
    ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
    ho_map_addz(item, "item", ho_node_textz(call->arena, ho_trust_item_name((ho_trust_item)i)));
    ho_map_addz(item, "state", ho_node_textz(call->arena, ho_trust_state_name(state)));
    ho_map_addz(item, "value", ho_node_copy(call->arena, trust->values[i]));
  }
}

/* "agents (not trusted):" and the value as it stands in the settings. */
static void put_value(ho_buf *out, const ho_node *item, bool stated)
{
  ho_buf text;
  ho_str rest, line;
  ho_buf_printf(out, "%.*s", HO_ARG(ho_map_str(item, "item")));
  if (stated)
    ho_buf_printf(out, " (%.*s)", HO_ARG(ho_map_str(item, "state")));
  ho_buf_puts(out, ":\n");
  ho_buf_init(&text, 0);
  ho_yaml_write(&text, ho_map_getz(item, "value"));
  rest = ho_buf_str(&text);
  while (ho_str_next_line(&rest, &line)) {
    ho_buf_puts(out, "  ");
    ho_term_put(out, line, HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  ho_buf_free_into(&text, out);
}

/* People see what they trust before it is recorded. */
static ho_code show_first(ho_call *call, ho_error *err)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  HO_EACH_CONST (item, ho_map_getz(call->result, "items"))
    put_value(&text, item, false);
  ho_code code = ho_buf_code(&text, err);
  if (!code && call->host->show)
    call->host->show(call->host->world, ho_buf_str(&text));
  ho_buf_free(&text);
  return code;
}

static ho_code revoke(ho_call *call, ho_error *err)
{
  bool had = false;
  ho_code code = ho_trust_end(call->project.trust, &had, err);
  if (!code && !had)
    ho_call_note(call, "nothing in this project was trusted");
  if (!code)
    put_items(call);
  return code;
}

static ho_code give(ho_call *call, ho_error *err)
{
  put_items(call);
  if (!ho_map_getz(call->result, "items")->count) {
    ho_call_note(call, "the project has nothing that needs trust");
    return HO_OK;
  }
  ho_code code = show_first(call, err);
  if (!code)
    code = ho_trust_give(call->project.trust, err);
  if (code)
    return code;
  ho_node_remove(call->result, ho_map_getz(call->result, "items"));
  put_items(call);
  return HO_OK;
}

static ho_code show(ho_call *call, ho_error *err)
{
  ho_trust *trust = call->project.trust;
  ho_code code = HO_OK;
  put_items(call);
  if (trust->unread.code) {
    *err = trust->unread;
    return err->code;
  }
  HO_EACH_CONST (item, ho_map_getz(call->result, "items"))
    if (!ho_str_is(ho_map_str(item, "state"), ho_trust_state_name(HO_TRUST_GIVEN)))
      code = HO_NO;
  if (!ho_map_getz(call->result, "items")->count)
    ho_call_note(call, "the project has nothing that needs trust");
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  bool shows = ho_arg_true(call, "show"), revokes = ho_arg_true(call, "revoke");
  if (shows && revokes)
    return ho_fail(err, HO_USAGE, "use either --show or --revoke");
  ho_code code = ho_project_begin(&call->project, err);
  if (!code)
    code = ho_project_find_tracked(&call->project, err);
  if (code)
    return code;
  return shows ? show(call, err) : revokes ? revoke(call, err) : give(call, err);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *items = ho_map_getz(call->result, "items");
  (void)colour;
  if (ho_arg_true(call, "show")) {
    HO_EACH_CONST (item, items)
      put_value(out, item, true);
    return;
  }
  HO_EACH_CONST (item, items)
    ho_buf_printf(out, "%.*s is %.*s\n", HO_ARG(ho_map_str(item, "item")), HO_ARG(ho_map_str(item, "state")));
}

static const ho_field params[] = {
    {.name = "show",
     .doc = "Only show what needs trust, and whether it is trusted. Exits 1 if something is not.",
     .type = HO_T_BOOL},
    {.name = "revoke", .doc = "Trust nothing of this project any longer.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "trust", .fields = params};
static const ho_field item_fields[] = {
    {.name = "item", .doc = "agents, notify, secrets or ledger.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "state", .doc = "trusted, not trusted or changed.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "value", .doc = "What is or would be trusted.", .type = HO_T_ANY},
    HO_FIELDS_END};
static const ho_record item_record = {.name = "trust item", .fields = item_fields};
static const ho_field result[] = {HO_LIST_FIELD("items", "What the project has that needs trust.", item_record),
                                  HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "trust result", .fields = result};

const ho_command ho_command_trust = {
    .name = "trust",
    .group = "setup",
    .summary = "Let the project's own agents, commands and ledger be used",
    .doc =
        "A cloned project is only data. Until a person has trusted them, these are not used: the settings 'agents' and "
        "'notify', because they start programs; 'secrets: allow'; and a ledger that git tracks. This command shows "
        "what they are, and trusts them as they are now: if one changes, it must be trusted again. A program in a "
        "trusted command may change without that.\n\nWhat is trusted is recorded in your data folder "
        "(~/.local/share/handoff/trust), by the project's path.",
    .examples = "handoff trust --show\nhandoff trust",
    .person = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
