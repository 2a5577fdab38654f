/* gate: goes through what waits for a person, who decides with a key. */
#include <unistd.h>

#include "base/proc/front.h"
#include "base/term.h"
#include "command/commands.h"
#include "command/gate_call.h"
#include "command/gates/gate_page.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/gate_wants.h"
#include "engine/ledger/person.h"
#include "engine/ledger/write.h"
#include "engine/project/identity.h"
#include "store/handoffs/handoffs.h"

#define KEYS "arqnvsx"
static const char prompt[] = "\n[a]pprove [r]eject [q]uestion [n]ote [v]iew [s]kip e[x]it: ";

enum { NOTE = 1024 };

/* One gate on its way through the person's hands. */
typedef struct walk {
  ho_call *call;
  int terminal;
  ho_arena arena; /* of the gate that is shown */
  ho_gate_page page;
  ho_gate gate; /* as it is shown: nothing else can be decided */
  ho_gate_wants wants;
  ho_str note; /* written ahead of the decision */
  size_t decided;
  bool over;
} walk;

/* What `gate list` gives: also the answer where nobody is there to decide. */
static ho_code list(ho_call *call, ho_error *err)
{
  ho_call asked = {.host = call->host, .arena = call->arena, .args = call->args};
  ho_code code = ho_dispatch(&ho_command_gate_list, &asked, err);
  if (!code)
    call->result = asked.result;
  return code;
}

/* ---- One gate. */

static void say(const walk *w, ho_str text)
{
  ho_term_say(w->terminal, text);
}

static void say_error(walk *w, const ho_error *err)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "handoff: ");
  ho_term_put(&text, ho_str_of(err->message), HO_TERM_LINE);
  ho_buf_putc(&text, '\n');
  say(w, ho_buf_str(&text));
  ho_buf_free(&text);
}

/* The gate with everything that the page shows of it. */
static ho_code look(walk *w, ho_str id, ho_error *err)
{
  ho_call *call = w->call;
  ho_handoff row;
  ho_node *shown = ho_node_new(&w->arena, HO_KIND_MAP);
  ho_call asked = *call;
  asked.arena = &w->arena;
  ho_code code = ho_gate_read(&call->project, id, &w->arena, &w->gate, err);
  if (!code)
    code = ho_handoffs_get(call->project.store, w->gate.handoff, &w->arena, &row, err);
  if (!code && !w->gate.body.n) {
    w->gate.body = row.digest;
    w->gate.receiver = row.receiver;
  }
  if (!code)
    code = ho_gate_shown_put(&asked, shown, &w->gate, true, err);
  if (!code)
    code = ho_gate_wants_read(&call->project, &w->arena, &w->gate, &w->wants, err);
  w->page.gate = &w->gate;
  w->page.shown = shown;
  w->page.now = ho_project_now(&call->project);
  w->page.rows = ho_term_height(w->terminal);
  w->page.columns = ho_term_width(w->terminal);
  w->page.colour = ho_term_colour(w->terminal);
  return code;
}

static void show(walk *w, bool whole)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  if (whole)
    ho_gate_page_whole(&text, &w->page);
  else
    ho_gate_page_put(&text, &w->arena, &w->page);
  ho_str rows = ho_person_rows(&w->arena, ho_buf_str(&text), w->page.columns);
  if (whole)
    w->call->host->page(w->call->host->world, rows);
  else
    say(w, rows);
  ho_buf_free(&text);
}

static ho_code ask_line(walk *w, const char *question, ho_str *out, ho_error *err)
{
  char line[NOTE];
  ho_code code = ho_term_ask(w->terminal, ho_str_of(question), false, line, sizeof line, err);
  if (!code)
    *out = ho_arena_copy(w->call->arena, ho_str_of(line));
  return code;
}

/* What a person wrote in an editor, without the lines that begin with '#'. */
static ho_str without_comments(ho_arena *arena, ho_str text)
{
  ho_buf kept;
  ho_str line;
  ho_buf_init(&kept, 0);
  while (ho_str_next_line(&text, &line))
    if (!ho_str_starts(line, "#"))
      ho_buf_printf(&kept, "%.*s\n", HO_ARG(line));
  return ho_str_trim(ho_buf_move(&kept, arena));
}

static void write_note(walk *w)
{
  ho_error err = {0};
  const char *editor = ho_front_editor();
  ho_str text = HO_EMPTY;
  ho_str begin =
      ho_arena_printf(&w->arena, "%.*s\n# A note to your decision at %.*s. Lines that begin with '#' do not count.\n",
                      HO_ARG(w->note), HO_ARG(w->gate.id));
  ho_code code =
      editor ? ho_front_edit(w->call->arena, editor, begin, &text, &err) : ask_line(w, "Note: ", &text, &err);
  if (code)
    say_error(w, &err);
  else
    w->note = editor ? without_comments(w->call->arena, text) : text;
  if (!code)
    say(w, w->note.n ? ho_arena_printf(&w->arena, "Noted: %zu bytes; now decide.\n", w->note.n) : HO_STR("No note.\n"));
}

/* What an approval has to say, asked for until it says it: what is no answer is never kept. */
static bool approve_with(walk *w, ho_str *note, ho_error *err)
{
  static const char *const questions[] = {[HO_GATE_WANTS_ADVICE] = "A word to whoever goes on (Enter: none): ",
                                          [HO_GATE_WANTS_ANSWER] = "Your answer (Enter: none yet): ",
                                          [HO_GATE_WANTS_OPTION] =
                                              "Which option, by its number or its words (Enter: none yet): "};
  bool may_be_empty = w->wants.what == HO_GATE_WANTS_NOTHING || w->wants.what == HO_GATE_WANTS_ADVICE;
  ho_str said = w->note;
  if ((said.n || w->wants.what == HO_GATE_WANTS_NOTHING) && ho_gate_wants_take(&w->wants, w->call->arena, note))
    return true;
  for (;;) {
    if (ask_line(w, questions[w->wants.what], &said, err))
      return false;
    if (ho_str_blank(said))
      return may_be_empty;
    if (ho_gate_wants_take(&w->wants, w->call->arena, &said))
      break;
    say(w, HO_STR("Not one of the options, or short for several.\n"));
  }
  *note = w->note.n ? ho_arena_printf(w->call->arena, "%.*s: %.*s", HO_ARG(said), HO_ARG(w->note)) : said;
  return true;
}

/* The words that go with the decision; false if the person leaves it at that. */
static bool words_for(walk *w, ho_gate_decision decision, ho_str *note, ho_error *err)
{
  *note = w->note;
  if (decision == HO_DECISION_APPROVE)
    return approve_with(w, note, err);
  if (note->n)
    return true;
  const char *question =
      decision == HO_DECISION_REJECT ? "Why (Enter: no reason): " : "What do you want to know (Enter: nothing): ";
  return !ask_line(w, question, note, err) && (note->n || decision == HO_DECISION_REJECT);
}

/* True if the gate is done with. */
static bool decide(walk *w, ho_gate_decision decision)
{
  ho_error err = {0};
  ho_buf line;
  ho_call *call = w->call;
  ho_str note;
  if (!words_for(w, decision, &note, &err)) {
    if (err.code)
      say_error(w, &err);
    return false;
  }
  ho_node *after = ho_node_new(call->arena, HO_KIND_MAP);
  ho_code code = ho_gate_call_decide(call, w->gate.id, decision, note, &w->gate, after, &err);
  if (code) {
    say_error(w, &err);
    return code == HO_CONFLICT;
  }
  ho_buf_init(&line, 0);
  ho_gate_shown_put_line(&line, after);
  say(w, ho_buf_str(&line));
  ho_buf_free(&line);
  ho_list_add(ho_map_getz(call->result, "decided"), after);
  return true;
}

/* Until the gate is decided or skipped, or the person leaves. */
static void ask(walk *w)
{
  for (bool done = false; !done && !w->over;) {
    char key = 'x';
    ho_error gone = {0};
    ho_code code = ho_term_key(w->terminal, ho_str_of(prompt), KEYS, &key, &gone);
    say(w, code ? HO_STR("\n") : ho_arena_printf(&w->arena, "%c\n", key));
    if (code || key == 'x')
      w->over = true;
    else if (key == 'v')
      show(w, true);
    else if (key == 'n')
      write_note(w);
    else if (key == 's')
      done = true;
    else
      done = decide(w, key == 'a' ? HO_DECISION_APPROVE : key == 'r' ? HO_DECISION_REJECT : HO_DECISION_QUESTION);
  }
}

/* ---- All of them. */

static ho_code go_through(walk *w, const ho_node *gates, ho_error *err)
{
  ho_code code = ho_open_ledger(w->call, false, err);
  w->page.of = gates->count;
  HO_EACH_CONST (gate, gates) {
    if (code || w->over)
      break;
    ho_arena_reset(&w->arena);
    w->note = HO_EMPTY;
    w->page.at++;
    if (w->page.at > 1)
      say(w, HO_STR("\n"));
    code = look(w, ho_map_str(gate, "id"), err);
    if (code || w->gate.state != HO_GATE_OPEN) /* decided elsewhere meanwhile */
      continue;
    show(w, false);
    ask(w);
  }
  return code;
}

/* Is a person at the terminal to whom this can be shown? */
static bool is_attended(const ho_call *call)
{
  return call->host->live && call->host->show && call->host->page && ho_term_is(STDIN_FILENO);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_code code = list(call, err);
  ho_node *gates = code ? NULL : ho_map_getz(call->result, "gates");
  if (code || ho_node_empty(gates) || !is_attended(call))
    return code;
  walk w = {.call = call};
  ho_node *left = ho_node_new(call->arena, HO_KIND_LIST);
  ho_map_addz(call->result, "decided", ho_node_new(call->arena, HO_KIND_LIST));
  code = ho_identity_refuse_agents(call->arena, "only a person may decide a gate", err);
  if (!code)
    code = ho_term_open(&w.terminal, err);
  if (code)
    return code;
  ho_arena_init(&w.arena, 0);
  code = go_through(&w, gates, err);
  ho_arena_free(&w.arena);
  close(w.terminal);
  HO_EACH_CONST (gate, gates) {
    bool open = true;
    HO_EACH_CONST (done, ho_map_getz(call->result, "decided"))
      open &= !ho_str_eq(ho_map_str(done, "id"), ho_map_str(gate, "id")) ||
              ho_str_is(ho_map_str(done, "state"), ho_words_name(&ho_gate_states, HO_GATE_OPEN));
    if (open)
      ho_list_add(left, ho_node_copy(call->arena, gate));
  }
  ho_map_set(call->result, HO_STR("gates"), left);
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *gates = ho_map_getz(call->result, "gates"), *decided = ho_map_getz(call->result, "decided");
  if (!decided) {
    ho_table_put(call, out, ho_command_gate_list.table, gates, 0, true, colour);
    return;
  }
  if (gates->count)
    ho_buf_printf(out, "%u gate%s still %s for you: handoff gate\n", gates->count, ho_plural((long long)gates->count),
                  ho_plural_of((long long)gates->count, "waits", "wait"));
  else
    ho_buf_puts(out, "No gate waits for you any more.\n");
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "gate", .fields = params};
static const ho_field result[] = {
    HO_LIST_FIELD("gates", "The gates that wait, oldest first.", ho_gate_record),
    HO_LIST_FIELD("decided", "Gates that were decided, or asked about, just now.", ho_gate_shown_record),
    HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "gate walk result", .fields = result};

const ho_command ho_command_gate = {
    .name = "gate",
    .group = "gates",
    .summary = "Go through the gates that wait for you, and decide them",
    .doc =
        "On a terminal, shows one gate after the other for reading, oldest first, and asks for a key: a approves "
        "(and asks "
        "for the answer, or the option), r rejects, q asks a question, n writes a note for the decision in VISUAL "
        "or EDITOR (else on a line), v shows "
        "the whole document, s goes on to the next gate, x ends. Your decision is about what you were shown; if "
        "somebody has changed that, it is refused. The rules are those of 'handoff gate decide'; agents are refused "
        "(exit status 7), as far as that can be told.\n\nAnywhere else, and with --json, this is 'handoff gate list'.",
    .examples = "handoff gate",
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
