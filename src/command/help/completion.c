#include "command/help/completion.h"

#include "command/runs_left.h"
#include "command/commands.h"
#include "command/findings.h"
#include "command/help/help.h"
#include "command/ledger_call.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/phase/folders.h"
#include "model/lifecycle.h"

enum { MOST = 50, LOOKED_AT = 2000 };

typedef struct completing {
  ho_call *call;
  const ho_command *command;
  ho_str first;           /* of a command of two words, if the second one is to come */
  const ho_field *option; /* whose value is to come */
  size_t positional;      /* how many there were */
  bool ended;             /* by "--" */
  ho_str word;            /* to be completed */
  ho_str before;          /* what stands in front of it in the same word: "--format=" */
  ho_completion_each *each;
  void *data;
} completing;

static bool fits(const completing *c, ho_str word)
{
  return word.n >= c->word.n && ho_str_eq(ho_str_sub(word, 0, c->word.n), c->word);
}

static void offer(completing *c, ho_str word, ho_str what)
{
  if (!fits(c, word))
    return;
  c->each(c->data, c->before.n ? ho_arena_printf(c->call->arena, "%.*s%.*s", HO_ARG(c->before), HO_ARG(word)) : word,
          what);
}

static void offer_z(completing *c, const char *word, const char *what)
{
  offer(c, ho_str_of(word), ho_str_of(what));
}

/* ---- What the store knows */

/* The newest ones, of those that begin as what is there. */
static void offer_handoffs(completing *c)
{
  ho_handoff_list list;
  ho_filter filter = {.limit = c->word.n ? LOOKED_AT : MOST};
  ho_error none = {0};
  size_t offered = 0;
  if (ho_handoffs_select(c->call->project.store, &filter, c->call->arena, &list, &none))
    return;
  for (size_t i = 0; i < list.count && offered < MOST; i++) {
    const ho_handoff *row = &list.rows[i];
    if (!fits(c, row->id))
      continue;
    offered++;
    ho_str subject = ho_describe_subject(&c->call->project, row, c->call->arena);
    offer(c, row->id, ho_arena_printf(c->call->arena, "%.*s: %.*s", HO_ARG(row->state), HO_ARG(subject)));
  }
}

static void offer_gates(completing *c)
{
  ho_gate_list list;
  ho_error none = {0};
  if (ho_gate_read_list(&c->call->project, HO_GATE_OPEN, HO_EMPTY, MOST, c->call->arena, &list, &none))
    return;
  for (size_t i = 0; i < list.count; i++)
    offer(c, list.rows[i].id, list.rows[i].name);
}

/* Who sent, got or holds one of the newest handoffs. */
static void offer_agents(completing *c)
{
  ho_handoff_list list;
  ho_filter filter = {.limit = MOST};
  ho_error none = {0};
  ho_node *seen = ho_node_new(c->call->arena, HO_KIND_LIST);
  if (ho_handoffs_select(c->call->project.store, &filter, c->call->arena, &list, &none))
    return;
  for (size_t i = 0; i < list.count; i++) {
    const ho_str names[] = {list.rows[i].sender, list.rows[i].receiver, list.rows[i].claimed_by};
    for (size_t n = 0; n < HO_COUNT(names); n++)
      if (names[n].n && !ho_list_has(seen, names[n])) {
        ho_list_add(seen, ho_node_text(c->call->arena, names[n]));
        offer(c, names[n], HO_EMPTY);
      }
  }
}

/* The newest teammates, whose logs are still of interest. */
static void offer_teammates(completing *c)
{
  ho_teammate_list list = {0};
  ho_error none = {0};
  if (ho_runs_teammates(c->call->project.store, HO_EMPTY, HO_EMPTY, HO_TEAMMATE_ANY, 0, c->call->arena, &list, &none))
    return;
  for (size_t i = list.count > MOST ? list.count - MOST : 0; i < list.count; i++)
    offer(c, list.rows[i].id, list.rows[i].why);
}

/* What `run` can continue; plans are files. */
static void offer_runs(completing *c)
{
  ho_run_list list = {0};
  ho_error none = {0};
  if (ho_runs_left(c->call, &list, &none))
    return;
  for (size_t i = 0; i < list.count && i < MOST; i++)
    offer(c, list.rows[i].id, list.rows[i].title);
}

static void offer_rules(completing *c)
{
  const ho_format *of;
  const ho_rule_info *rule;
  for (size_t i = 0; (rule = ho_finding_rule_at(i, &of)); i++)
    offer_z(c, rule->id, rule->doc);
}

static void offer_tasks(completing *c)
{
  ho_folders folders;
  ho_error none = {0};
  if (ho_folders_list(c->call->arena, c->call->host->root, &folders, &none))
    return;
  for (size_t i = 0; i < folders.count; i++)
    offer(c, folders.items[i].task, folders.items[i].slug);
}

/* One of them, or the next one after a comma. */
static void offer_states(completing *c)
{
  completing next = *c;
  size_t begun = c->word.n;
  while (begun > 0 && c->word.p[begun - 1] != ',')
    begun--;
  next.before = ho_arena_printf(c->call->arena, "%.*s%.*s", HO_ARG(c->before), HO_ARG(ho_str_sub(c->word, 0, begun)));
  next.word = ho_str_sub(c->word, begun, c->word.n);
  if (!begun)
    offer_z(&next, "open", "all open states");
  for (int state = HO_STATE_NONE + 1; state < HO_STATE_COUNT; state++)
    offer_z(&next, ho_state_name((ho_state)state), "");
}

/* What stands for a value in help says what it is. */
static const struct {
  const char *label, *name; /* name: of the parameter, if the label alone does not say it; else NULL */
  void (*offer)(completing *c);
  bool store;
} kinds[] = {{"ID", NULL, offer_handoffs, true},        {"G", NULL, offer_gates, true},
             {"AGENT", NULL, offer_agents, true},       {"STATE", NULL, offer_states, false},
             {"TEAMMATE", NULL, offer_teammates, true}, {"PLAN", NULL, offer_runs, true},
             {"RULE", NULL, offer_rules, false},        {"N", "task", offer_tasks, false}};

static bool open_store(completing *c)
{
  ho_error none = {0};
  return c->call->project.store || ho_project_open(&c->call->project, HO_OPEN_EXISTING, &none) == HO_OK;
}

static void offer_values(completing *c, const ho_field *field)
{
  for (const ho_choice *choice = field->choices; choice && choice->value; choice++)
    offer_z(c, choice->value, choice->doc);
  for (size_t i = 0; (field->flags & HO_IS_FORMAT) && ho_formats[i]; i++)
    offer_z(c, ho_formats[i]->name, ho_formats[i]->title);
  for (size_t i = 0; (field->flags & HO_IS_COMMAND) && ho_commands[i]; i++)
    offer_z(c, ho_commands[i]->name, ho_commands[i]->summary);
  for (size_t i = 0; i < HO_COUNT(kinds); i++)
    if (field->label && ho_str_list_has(field->label, ho_str_of(kinds[i].label)) &&
        (!kinds[i].name || strcmp(field->name, kinds[i].name) == 0) && (!kinds[i].store || open_store(c)))
      kinds[i].offer(c);
  if (field->flags & HO_IS_FILE)
    c->each(c->data, HO_STR(HO_COMPLETION_FILES), HO_EMPTY);
}

/* ---- The command line so far */

static const ho_field *option_named(const ho_record *record, ho_str name)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    ho_buf option;
    ho_buf_init(&option, 0);
    ho_help_option_name(&option, field);
    bool same = !(field->flags & HO_POSITIONAL) &&
                (ho_str_eq(ho_buf_str(&option), name) || ho_str_list_has(field->aliases, name));
    ho_buf_free(&option);
    if (same)
      return field;
  }
  return NULL;
}

/* The option that a word begins with, or NULL. */
static const ho_field *option_of(const completing *c, ho_str word)
{
  ho_str name = ho_str_sub(word, 2, ho_str_find_char(word, '='));
  if (ho_str_is(word, "-o") && c->command)
    for (const ho_field *field = c->command->params->fields; field->name; field++)
      if ((field->flags & HO_SHORT_O) || ho_str_list_has(field->aliases, HO_STR("o")))
        return field;
  if (!ho_str_starts(word, "--"))
    return NULL;
  const ho_field *own = c->command ? option_named(c->command->params, name) : NULL;
  return own ? own : option_named(&ho_global_options, name);
}

static void take_word(completing *c, ho_str word)
{
  if (c->option) { /* it was the value, or the sign before it: some shells make "--a=b" three words */
    c->option = ho_str_is(word, "=") ? c->option : NULL;
    return;
  }
  if (!c->ended && ho_str_is(word, "--")) {
    c->ended = true;
  } else if (!c->ended && ho_str_starts(word, "-") && word.n > 1) {
    const ho_field *option = option_of(c, word);
    c->option = option && option->type != HO_T_BOOL && ho_str_find_char(word, '=') == HO_NONE ? option : NULL;
  } else if (c->command) {
    c->positional++;
  } else if (c->first.n) {
    c->command = ho_command_named(ho_arena_printf(c->call->arena, "%.*s %.*s", HO_ARG(c->first), HO_ARG(word)));
  } else if (ho_command_leads(word)) {
    c->first = word;
  } else {
    c->command = ho_command_named(word);
  }
}

/* ---- What can follow */

/* A command's first word, or its second one if the first is there; those of a family once. */
static void offer_commands(completing *c)
{
  ho_str last = HO_EMPTY;
  for (const ho_command *const *each = ho_commands; *each; each++) {
    ho_str name = ho_str_of((*each)->name);
    size_t blank = ho_str_find_char(name, ' ');
    ho_str first = ho_str_sub(name, 0, blank),
           second = blank == HO_NONE ? HO_EMPTY : ho_str_sub(name, blank + 1, name.n);
    if (c->first.n && ho_str_eq(first, c->first) && second.n)
      offer_z(c, second.p, (*each)->summary);
    if (!c->first.n && !ho_str_eq(first, last))
      offer(c, first, second.n ? HO_EMPTY : ho_str_of((*each)->summary));
    last = first;
  }
}

static void offer_options(completing *c, const ho_record *record)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    if (field->flags & (HO_POSITIONAL | HO_HIDDEN))
      continue;
    ho_buf option;
    ho_buf_init(&option, 0);
    ho_buf_puts(&option, "--");
    ho_help_option_name(&option, field);
    offer(c, ho_buf_move(&option, c->call->arena), ho_str_of(field->doc));
  }
}

static void offer_argument(completing *c)
{
  size_t at = 0;
  for (const ho_field *field = c->command->params->fields; field->name; field++)
    if (field->flags & HO_POSITIONAL) {
      if (at++ == c->positional || (field->type == HO_T_LIST && at <= c->positional + 1))
        offer_values(c, field);
    }
}

void ho_completion_find(ho_call *call, const ho_node *words, ho_completion_each *each, void *data)
{
  completing c = {.call = call, .each = each, .data = data, .word = HO_EMPTY, .before = HO_EMPTY, .first = HO_EMPTY};
  HO_EACH_CONST (word, words)
    if (word->next)
      take_word(&c, word->text);
    else
      c.word = word->text;
  size_t sign = ho_str_starts(c.word, "--") && !c.ended ? ho_str_find_char(c.word, '=') : HO_NONE;
  if (sign != HO_NONE) {
    c.option = option_of(&c, c.word);
    c.before = ho_str_sub(c.word, 0, sign + 1);
    c.word = ho_str_sub(c.word, sign + 1, c.word.n);
  } else if (c.option && ho_str_is(c.word, "=")) {
    c.word = HO_EMPTY;
  }
  if (c.option) {
    offer_values(&c, c.option);
  } else if (!c.ended && ho_str_starts(c.word, "-")) {
    if (c.command)
      offer_options(&c, c.command->params);
    offer_options(&c, &ho_global_options);
  } else if (c.command) {
    offer_argument(&c);
  } else {
    offer_commands(&c);
  }
}
