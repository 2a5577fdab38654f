/* A session that was started for no particular task is offered what is open: the newest handoff by its page, what is
 * beside it by a line. Drafts come after handoffs, however new they are: somebody wrote a handoff for whoever comes next.
 * Nothing is claimed for the session: a person may want something else from it. */
#include "base/buf.h"
#include "base/grow.h"
#include "engine/hook/hook.h"
#include "engine/ledger/gate_step.h"
#include "engine/ledger/halt.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "engine/which/which.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"

enum { SHOWN = 5, LOOKED_AT = 60 };

typedef struct candidate {
  ho_handoff row, draft; /* a handoff and what was drafted since, or a draft alone */
} candidate;

typedef struct offering {
  ho_hook *hook;
  ho_str asked; /* what is not offered, because a run has asked a person about it: a line each */
  candidate items[2 * LOOKED_AT];
  size_t count, ready; /* once in order, the first `ready` are handoffs, the others drafts alone */
  ho_str told;         /* the session knows this one already */
} offering;

static bool is_draft(const ho_handoff *row)
{
  return ho_str_is(row->state, ho_state_name(HO_STATE_DRAFT));
}

/* Do both tell how far the same phase is, so that the newer one counts? Other documents may be several for one phase. */
static bool same_phase(const ho_handoff *a, const ho_handoff *b)
{
  return a->task.n && ho_str_eq(a->task, b->task) && ho_str_eq(a->phase, b->phase) &&
         (is_draft(a) || ho_str_is(a->kind, ho_format_artifact.name)) &&
         (is_draft(b) || ho_str_is(b->kind, ho_format_artifact.name));
}

/* Adds one that is not newer than those before it. */
static void add(offering *o, const ho_handoff *row)
{
  for (size_t i = 0; i < o->count; i++) {
    candidate *each = &o->items[i];
    if (!same_phase(&each->row, row))
      continue;
    if (is_draft(&each->row) && !is_draft(row))
      *each = (candidate){.row = *row, .draft = each->row};
    return;
  }
  o->items[o->count++].row = *row;
}

/* What is drafted about a phase that somebody works on is not offered alone. With a handoff that is open it is: whoever
 * held that has lost it. */
static ho_code drop_taken(offering *o, ho_error *err)
{
  ho_code code = HO_OK;
  size_t kept = 0;
  for (size_t i = 0; !code && i < o->count; i++) {
    const candidate one = o->items[i];
    bool taken = false;
    if (is_draft(&one.row) && one.row.task.n)
      code = ho_hook_taken(o->hook, one.row.task, one.row.phase, &taken, err);
    if (!taken)
      o->items[kept++] = one;
  }
  o->count = kept;
  return code;
}

/* What a run has asked a person about is offered to nobody until that is decided. The session is told, because its person may
 * be the one who is asked. */
static ho_code drop_asked(offering *o, ho_error *err)
{
  ho_hook *hook = o->hook;
  ho_buf out;
  ho_code code = HO_OK;
  size_t kept = 0, told = 0;
  ho_buf_init(&out, 0);
  for (size_t i = 0; !code && i < o->count; i++) {
    const candidate one = o->items[i];
    ho_gate gate;
    bool holds = false;
    code = ho_gate_step_holds(hook->project, &one.row, hook->arena, &gate, &holds, err);
    if (!holds)
      o->items[kept++] = one;
    else if (told++ < SHOWN)
      ho_buf_printf(&out,
                    "[handoff] %.*s waits for a person: `handoff gate show %.*s`. Leave its phase until that is "
                    "decided.\n",
                    HO_ARG(ho_hook_named(hook, &one.row)), HO_ARG(ho_quote_name(hook->arena, gate.id)));
  }
  o->count = kept;
  o->asked = ho_buf_move(&out, hook->arena);
  return code;
}

/* An agent with a name of its own is offered what is for it, any other what is for its harness or for whoever comes. What
 * is for another agent is not. A draft is addressed by nobody: it says whose work it is about. */
static bool is_for(const ho_hook *hook, const ho_handoff *row)
{
  return is_draft(row) || !row->receiver.n || ho_str_eq(row->receiver, ho_project_addressee(hook->project));
}

/* The name of its harness tells nobody more than no name would. */
static ho_str own_name(const ho_hook *hook)
{
  ho_str name = hook->project->name;
  return ho_str_is(name, hook->harness->name) ? HO_EMPTY : name;
}

static ho_code list_in(offering *o, ho_state state, ho_handoff_list *out, ho_error *err)
{
  enum { PAGES = 10 };
  ho_hook *hook = o->hook;
  ho_handoff_list page;
  ho_filter filter = {.state = ho_str_of(ho_state_name(state)),
                      .receiver = own_name(hook),
                      .task = ho_id_plain(hook->task),
                      .phase = ho_id_plain(hook->phase),
                      .limit = LOOKED_AT};
  ho_code code = HO_OK;
  *out = (ho_handoff_list){0};
  for (size_t p = 0; !code && p < PAGES; p++) {
    code = ho_handoffs_select(hook->project->store, &filter, hook->arena, &page, err);
    for (size_t i = 0; !code && i < page.count && out->count < LOOKED_AT; i++) {
      ho_halt halt;
      bool held = false, offered = is_for(hook, &page.rows[i]) && !ho_str_eq(page.rows[i].id, o->told);
      if (offered)
        code = ho_halt_holds(hook->project, &page.rows[i], hook->arena, &halt, &held, err);
      offered = offered && !held;
      ho_handoff *kept = offered ? HO_PUSH(hook->arena, out->rows, out->count) : NULL;
      if (kept)
        *kept = page.rows[i];
    }
    if (code || page.count < LOOKED_AT || out->count == LOOKED_AT)
      break;
    filter.before_seq = page.rows[page.count - 1].seq;
  }
  return code ? code : ho_arena_code(hook->arena, err);
}

/* Newest first, whatever they are. */
static ho_code collect(offering *o, ho_error *err)
{
  ho_handoff_list ready, drafts;
  ho_code code = list_in(o, HO_STATE_READY, &ready, err);
  if (!code)
    code = list_in(o, HO_STATE_DRAFT, &drafts, err);
  for (size_t r = 0, d = 0; !code && (r < ready.count || d < drafts.count);) {
    bool draft = d < drafts.count && (r == ready.count || drafts.rows[d].seq > ready.rows[r].seq);
    add(o, draft ? &drafts.rows[d++] : &ready.rows[r++]);
  }
  if (!code)
    code = drop_taken(o, err);
  return code ? code : drop_asked(o, err);
}

/* Drafts last. */
static void put_in_order(offering *o)
{
  for (size_t i = 0; i < o->count; i++) {
    candidate one = o->items[i];
    size_t at = i;
    for (; at > 0 && is_draft(&o->items[at - 1].row) && !is_draft(&one.row); at--)
      o->items[at] = o->items[at - 1];
    o->items[at] = one;
    o->ready += !is_draft(&one.row);
  }
}

/* Of a command for the agent. A text that is more than a name is left out: the command then finds more. */
static void put_option(const ho_hook *hook, ho_buf *out, const char *name, ho_str value)
{
  if (value.n && ho_quote_is_name(value))
    ho_buf_printf(out, " --%s %.*s", name, HO_ARG(ho_quote_shell(hook->arena, value)));
}

/* A draft has to be confirmed first; one without a task is found by its id alone. */
void ho_hook_put_next(const ho_hook *hook, ho_buf *out, const ho_handoff *row)
{
  ho_str id = ho_quote_name(hook->arena, row->id);
  ho_buf_puts(out, "claim it with `");
  if (is_draft(row))
    ho_buf_printf(out, "handoff answer %.*s --note 'I continue it' && ", HO_ARG(id));
  if (is_draft(row) && !row->task.n)
    ho_buf_printf(out, "handoff claim %.*s", HO_ARG(id));
  else
    ho_buf_puts(out, "handoff next");
  if (!ho_str_eq(row->receiver, ho_project_addressee(hook->project)))
    put_option(hook, out, "as", row->receiver);
  put_option(hook, out, "task", row->task);
  put_option(hook, out, "phase", row->task.n ? row->phase : HO_EMPTY);
  ho_buf_putc(out, '`');
}

static void put_lines(ho_hook *hook, ho_buf *out, const candidate *items, size_t count)
{
  for (size_t i = 0; i < count && i < SHOWN; i++) {
    const ho_handoff *row = &items[i].row;
    ho_buf_printf(out, "- %s%.*s: ", is_draft(row) ? "draft " : "", HO_ARG(ho_hook_named(hook, row)));
    ho_buf_printf(out, "read it with `handoff show %.*s`, ", HO_ARG(ho_quote_name(hook->arena, row->id)));
    ho_hook_put_next(hook, out, row);
    ho_buf_putc(out, '\n');
  }
  if (count > SHOWN)
    ho_buf_printf(out, "- and more: `handoff list --state %.*s`\n", HO_ARG(items[0].row.state));
}

/* Drafts beside a handoff: it says what to do, they only what was seen, so they share a line. */
static void put_drafts(const ho_hook *hook, ho_buf *out, const candidate *drafts, size_t count)
{
  ho_buf_puts(out, "Drafts about other work, confirmed by nobody:");
  for (size_t i = 0; i < count && i < SHOWN; i++)
    ho_buf_printf(out, "%s %.*s", i ? "," : "", HO_ARG(ho_quote_name(hook->arena, drafts[i].row.id)));
  ho_buf_printf(out, "%s; see `handoff list --state draft`.\n", count > SHOWN ? " and more" : "");
}

/* After what is said already. */
static void begin(const ho_hook *hook, ho_buf *out)
{
  ho_buf_init(out, 0);
  if (hook->said.n)
    ho_buf_printf(out, "%.*s\n", HO_ARG(hook->said));
}

/* The first by its page, the others by a line each. */
static ho_code offer_first(const offering *o, ho_error *err)
{
  ho_hook *hook = o->hook;
  const candidate *one = &o->items[0];
  ho_buf out;
  begin(hook, &out);
  ho_buf_printf(&out, "[handoff] %s in this project, not claimed for you: %.*s. If you continue it, ",
                is_draft(&one->row) ? "An unconfirmed draft about work that was left"
                : o->ready > 1      ? "The newest open handoff"
                                    : "An open handoff",
                HO_ARG(ho_hook_named(hook, &one->row)));
  ho_hook_put_next(hook, &out, &one->row);
  if (is_draft(&one->row))
    ho_buf_printf(&out, "; if nobody needs it, discard it with `" HO_HOOK_DISCARD "`",
                  HO_ARG(ho_quote_name(hook->arena, one->row.id)));
  ho_buf_puts(&out, "; if you are asked for something else, ignore it.\n");
  if (o->ready > 1) {
    ho_buf_puts(&out, "Also open:\n");
    put_lines(hook, &out, o->items + 1, o->ready - 1);
  }
  if (o->ready && o->count > o->ready)
    put_drafts(hook, &out, o->items + o->ready, o->count - o->ready);
  ho_code code = ho_hook_put_page(hook, &out, &one->row, &one->draft, err);
  hook->said = ho_buf_move(&out, hook->arena);
  if (!code && one->row.task.n && one->row.phase.n)
    ho_which_offered(hook->project, hook->arena, one->row.id);
  return code;
}

static void offer_drafts(const offering *o)
{
  ho_buf out;
  begin(o->hook, &out);
  ho_buf_puts(&out,
              "[handoff] Unconfirmed drafts about work that was left in this project; none is claimed for you:\n");
  put_lines(o->hook, &out, o->items, o->count);
  ho_buf_puts(&out, "What nobody needs is discarded with `handoff reject ID --note TEXT`.\n");
  o->hook->said = ho_buf_move(&out, o->hook->arena);
}

ho_code ho_hook_offer(ho_hook *hook, ho_str told, ho_error *err)
{
  offering *o = HO_NEW(hook->arena, offering);
  if (!o)
    return ho_arena_code(hook->arena, err);
  o->hook = hook;
  o->told = told;
  ho_code code = collect(o, err);
  if (code)
    return code;
  put_in_order(o);
  if (o->ready || o->count == 1)
    code = offer_first(o, err);
  else if (o->count)
    offer_drafts(o);
  if (o->asked.n)
    hook->said =
        ho_arena_printf(hook->arena, "%.*s%s%.*s", HO_ARG(hook->said), hook->said.n ? "\n" : "", HO_ARG(o->asked));
  return code;
}
