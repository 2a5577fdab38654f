/* trust: what of a project may be used although it may have come with a clone. */
#include "base/term.h"
#include "base/time.h"
#include "base/utf8.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "doc/yaml/yaml.h"
#include "engine/ledger/deciders.h"
#include "engine/ledger/person.h"
#include "store/handoffs/events.h"

enum { WRITES_SHOWN = 20, TEXT_SHOWN = 300 };

static ho_str cut(ho_str text)
{
  return text.n > TEXT_SHOWN ? ho_str_sub(text, 0, ho_utf8_floor(text, TEXT_SHOWN)) : text;
}

typedef struct writes {
  ho_call *call;
  ho_node *list;
  int64_t more;
} writes;

static ho_code take_path(void *data, ho_str path, ho_error *err)
{
  writes *w = data;
  if (w->list->count < WRITES_SHOWN)
    ho_list_add(w->list,
                ho_node_text(w->call->arena, ho_arena_copy(w->call->arena, ho_fs_text(w->call->arena, cut(path)))));
  else
    w->more++;
  return ho_arena_code(w->call->arena, err);
}

static ho_code look_inside(ho_call *call, ho_store *store, ho_node *inside, ho_error *err)
{
  ho_store_numbers numbers = {0};
  ho_event_list events = {0};
  writes w = {.call = call};
  ho_code code = ho_store_count(store, &numbers, err);
  if (!code)
    code = ho_events_select(store, HO_EMPTY, 0, 1, call->arena, &events, err);
  if (code)
    return code;
  ho_map_addz(inside, "handoffs", ho_node_number(call->arena, numbers.handoffs));
  ho_map_addz(inside, "events", ho_node_number(call->arena, numbers.events));
  if (events.count) {
    const ho_event *newest = &events.rows[0];
    ho_str text = ho_arena_printf(call->arena, "%.*s %.*s %.*s by %.*s", HO_ARG(ho_time_str(call->arena, newest->at)),
                                  HO_ARG(newest->handoff), HO_ARG(newest->kind), HO_ARG(newest->actor));
    ho_map_addz(inside, "newest", ho_node_text(call->arena, cut(text)));
  }
  w.list = ho_map_addz(inside, "writes", ho_node_new(call->arena, HO_KIND_LIST));
  code = ho_store_intended(store, take_path, &w, err);
  if (w.more)
    ho_map_addz(inside, "more_writes", ho_node_number(call->arena, w.more));
  return code;
}

/* What is in the ledger, as far as it can be read: nobody should have to trust it in order to know. */
static void put_ledger(ho_call *call, ho_node *item)
{
  ho_store *store = NULL;
  ho_error err = {0};
  ho_node *inside = ho_map_addz(item, "inside", ho_node_new(call->arena, HO_KIND_MAP));
  ho_code code = ho_project_peek(&call->project, &store, &err);
  if (!code)
    code = look_inside(call, store, inside, &err);
  if (code)
    ho_map_addz(inside, "unreadable", ho_node_text(call->arena, ho_arena_copy(call->arena, ho_str_of(err.message))));
  ho_store_close(store);
}

/* Who was the first decider is in the ledger. */
static void find_deciders(ho_call *call)
{
  ho_project *project = &call->project;
  ho_deciders deciders;
  ho_error none = {0};
  if (!ho_project_has_store(project) || ho_project_peek(project, &project->store, &none))
    return; /* put_ledger says why */
  (void)!ho_deciders_load(project, call->arena, &deciders, &none);
  ho_store_close(project->store);
  project->store = NULL;
}

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
    if (i == HO_TRUST_LEDGER)
      put_ledger(call, item);
  }
}

static void put_yaml(ho_buf *out, const ho_node *value)
{
  ho_buf text;
  ho_str rest, line;
  if (!value)
    return;
  ho_buf_init(&text, 0);
  ho_yaml_write(&text, value);
  rest = ho_buf_str(&text);
  while (ho_str_next_line(&rest, &line)) {
    ho_buf_puts(out, "  ");
    ho_term_put(out, line, HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  ho_buf_free_into(&text, out);
}

/* "agents (not trusted):", the value as it stands in the settings, and what is in a ledger. */
static void put_value(ho_buf *out, const ho_node *item, bool stated)
{
  ho_buf_printf(out, "%.*s", HO_ARG(ho_map_str(item, "item")));
  if (stated)
    ho_buf_printf(out, " (%.*s)", HO_ARG(ho_map_str(item, "state")));
  ho_buf_puts(out, ":\n");
  put_yaml(out, ho_map_getz(item, "value"));
  put_yaml(out, ho_map_getz(item, "inside"));
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

/* Who decides is asked at a terminal, so that nobody confirms a key by trusting something else. */
static bool confirms(ho_call *call, const ho_node *first)
{
  const ho_person *person = &ho_person_terminal;
  ho_error none = {0};
  ho_str question =
      ho_arena_printf(call->arena, "Is %.*s the fingerprint that %.*s sees with 'handoff key list'? Type yes: ",
                      HO_ARG(ho_map_str(first, "fingerprint")), HO_ARG(ho_map_str(first, "first")));
  if (!person->present(person->world, &none) && !person->agree(person->world, call->arena, HO_EMPTY, question, &none))
    return true;
  ho_call_note(call, "the first decider's key is not confirmed: a person says 'yes' to that at a terminal");
  return false;
}

static ho_code give(ho_call *call, ho_error *err)
{
  ho_trust *trust = call->project.trust;
  const ho_node *first = trust->values[HO_TRUST_DECIDERS];
  put_items(call);
  if (!ho_map_getz(call->result, "items")->count) {
    ho_call_note(call, "the project has nothing that needs trust");
    return HO_OK;
  }
  ho_code code = show_first(call, err);
  if (!code && first && ho_trust_of(trust, HO_TRUST_DECIDERS) != HO_TRUST_GIVEN && !confirms(call, first))
    trust->values[HO_TRUST_DECIDERS] = NULL;
  if (!code)
    code = ho_trust_give(trust, err);
  trust->values[HO_TRUST_DECIDERS] = first;
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
  find_deciders(call);
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
    {.name = "revoke", .doc = "Revoke all trust in this project.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "trust", .fields = params};
static const ho_field inside_fields[] = {
    {.name = "handoffs", .doc = "How many handoffs.", .type = HO_T_INT},
    {.name = "events", .doc = "How many events.", .type = HO_T_INT},
    {.name = "newest", .doc = "The newest event: when, of which handoff, what, by whom.", .type = HO_T_TEXT},
    {.name = "writes", .doc = "Files that it would have written.", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "more_writes", .doc = "How many files more.", .type = HO_T_INT},
    {.name = "unreadable", .doc = "Why it cannot be read.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record inside_record = {.name = "ledger contents", .fields = inside_fields};
static const ho_field item_fields[] = {
    {.name = "item", .doc = "agents, notify, secrets, ledger or deciders.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "state", .doc = "trusted, not trusted or changed.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "value", .doc = "What is or would be trusted.", .type = HO_T_ANY},
    {.name = "inside", .doc = "Of a ledger: what is in it.", .type = HO_T_RECORD, .record = &inside_record},
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
        "what they are, and trusts them as they are now: if one changes, it must be trusted again. Changes to the "
        "program itself are not detected. A ledger is trusted as git has it: what handoff records in it needs "
        "no new trust; a commit, pull or checkout that brings another version of the file does.\n\nThe key of the "
        "project's first decider is trusted here, too: until then, decisions are called 'signed by a key nobody has "
        "confirmed'. That is asked at a terminal: compare the fingerprint with the one that its owner sees with "
        "'handoff "
        "key list'.\n\nWhat is trusted is "
        "recorded in your data folder "
        "(~/.local/share/handoff/trust), by the project's path.",
    .examples = "handoff trust --show\nhandoff trust",
    .person = true,
    .shows = "show",
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
