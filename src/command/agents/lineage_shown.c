#include "command/agents/lineage_shown.h"

#include "base/escape.h"
#include "base/term.h"
#include "command/agents/run_view.h"
#include "command/ledger_call.h"
#include "command/wrap.h"
#include "doc/json/json.h"
#include "engine/project/identity.h"
#include "engine/run/teammate_watch.h"

enum { LABEL = 60 };

/* What became of a teammate, in a word. */
static ho_str fate(const ho_node *mate)
{
  return ho_map_str(mate, "outcome").n ? ho_map_str(mate, "outcome") : ho_map_str(mate, "state");
}

/* --- text ---------------------------------------------------------------------------------------------------------- */

static void put_text(ho_buf *out, ho_str text)
{
  ho_term_put(out, text, HO_TERM_LINE);
}

static void put_teammate(ho_buf *out, const ho_node *mate, const char *bar, bool last)
{
  ho_str why = ho_map_str(mate, "why"), from = ho_map_str(mate, "from");
  ho_buf_printf(out, "%s%s ", bar, last ? "\xe2\x94\x94\xe2\x94\x80" : "\xe2\x94\x9c\xe2\x94\x80");
  put_text(out, ho_teammate_short(ho_map_str(mate, "id")));
  ho_buf_puts(out, "  ");
  put_text(out, ho_identity_name(ho_map_str(mate, "agent")));
  ho_buf_puts(out, "  ");
  put_text(out, fate(mate));
  ho_buf_puts(out, ho_str_is(ho_map_str(mate, "state"), "running") ? " for " : " after ");
  ho_put_elapsed(out, ho_map_int(mate, "seconds") * 1000);
  if (why.n) {
    ho_buf_puts(out, ": ");
    put_text(out, why);
  }
  ho_buf_putc(out, '\n');
  if (from.n) {
    ho_buf_printf(out, "%s%s   from ", bar, last ? " " : "\xe2\x94\x82");
    put_text(out, from);
    ho_buf_putc(out, '\n');
  }
}

static void put_step(ho_buf *out, const ho_node *step, bool last)
{
  const ho_node *mates = ho_map_getz(step, "teammates");
  ho_buf_puts(out, last ? "\xe2\x94\x94\xe2\x94\x80 " : "\xe2\x94\x9c\xe2\x94\x80 ");
  put_text(out, ho_map_str(step, "step"));
  if (ho_map_str(step, "name").n) {
    ho_buf_puts(out, "  ");
    put_text(out, ho_map_str(step, "name"));
  }
  ho_buf_puts(out, "  (");
  put_text(out, ho_map_str(step, "state"));
  ho_buf_puts(out, ")\n");
  HO_EACH_CONST (mate, mates)
    put_teammate(out, mate, last ? "   " : "\xe2\x94\x82  ", mate == mates->last);
}

void ho_lineage_text(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *result = call->result;
  HO_EACH_CONST (run, ho_map_getz(result, "runs")) {
    const ho_node *steps = ho_map_getz(run, "steps");
    ho_put_bold(out, ho_map_str(run, "run"), colour);
    ho_buf_puts(out, "  ");
    put_text(out, ho_map_str(run, "title").n ? ho_map_str(run, "title") : ho_map_str(run, "plan"));
    if (ho_map_str(run, "task").n) {
      ho_buf_puts(out, "  task ");
      put_text(out, ho_map_str(run, "task"));
    }
    ho_buf_puts(out, "  (");
    put_text(out, ho_map_str(run, "state"));
    ho_buf_puts(out, ")\n");
    HO_EACH_CONST (step, steps)
      put_step(out, step, step == steps->last);
  }
  ho_ledger_call_rows(call, out, ho_map_getz(result, "handoffs"), 0, colour);
}

/* --- Mermaid ------------------------------------------------------------------------------------------------------- */

/* Text inside a label's quotes. */
static void put_label(ho_buf *out, ho_str text)
{
  ho_buf cut;
  ho_buf_init(&cut, 0);
  ho_put_cut(&cut, text, LABEL);
  ho_escape_mermaid(out, ho_buf_str(&cut));
  ho_buf_free_into(&cut, out);
}

/* The name of a teammate's node. */
static void put_name(ho_buf *out, ho_str id)
{
  ho_buf_puts(out, "t_");
  for (size_t i = 0; i < id.n; i++)
    ho_buf_printf(out, isalnum((unsigned char)id.p[i]) ? "%c" : "_%02x_", (unsigned char)id.p[i]);
}

static void put_mermaid_teammate(ho_buf *out, const ho_node *step, const ho_node *mate)
{
  ho_str before = ho_map_str(mate, "succeeds");
  ho_buf_puts(out, "    ");
  put_name(out, ho_map_str(mate, "id"));
  ho_buf_puts(out, "[\"");
  put_label(out, ho_teammate_short(ho_map_str(mate, "id")));
  ho_buf_putc(out, ' ');
  put_label(out, ho_identity_name(ho_map_str(mate, "agent")));
  ho_buf_puts(out, "<br/>");
  put_label(out, fate(mate));
  ho_buf_puts(out, "\"]\n");
  if (!before.n)
    return;
  ho_str why = HO_EMPTY;
  HO_EACH_CONST (other, ho_map_getz(step, "teammates"))
    if (ho_str_eq(ho_map_str(other, "id"), before))
      why = ho_map_str(other, "why").n ? ho_map_str(other, "why") : fate(other);
  ho_buf_puts(out, "    ");
  put_name(out, before);
  ho_buf_puts(out, " -->|\"");
  put_label(out, why);
  ho_buf_puts(out, "\"| ");
  put_name(out, ho_map_str(mate, "id"));
  ho_buf_putc(out, '\n');
}

static void put_mermaid_run(ho_buf *out, const ho_node *run)
{
  HO_EACH_CONST (step, ho_map_getz(run, "steps")) {
    if (!ho_map_getz(step, "teammates")->count)
      continue;
    ho_buf_puts(out, "  subgraph ");
    put_name(out, ho_map_str(run, "run"));
    put_name(out, ho_map_str(step, "step"));
    ho_buf_puts(out, "[\"");
    put_label(out, ho_map_str(run, "run"));
    ho_buf_printf(out, ", %s ", ho_run_view_part(ho_map_str(run, "plan")));
    put_label(out, ho_map_str(step, "step"));
    ho_buf_puts(out, ho_map_str(step, "name").n ? ": " : "");
    put_label(out, ho_map_str(step, "name"));
    ho_buf_puts(out, "\"]\n");
    HO_EACH_CONST (mate, ho_map_getz(step, "teammates"))
      put_mermaid_teammate(out, step, mate);
    ho_buf_puts(out, "  end\n");
  }
}

void ho_lineage_mermaid(ho_buf *out, const ho_node *result)
{
  ho_buf_puts(out, "flowchart LR\n");
  HO_EACH_CONST (run, ho_map_getz(result, "runs"))
    put_mermaid_run(out, run);
  HO_EACH_CONST (handoff, ho_map_getz(result, "handoffs")) {
    const ho_str ends[] = {ho_map_str(handoff, "from"), ho_map_str(handoff, "claimed_by")};
    for (size_t i = 0; i < HO_COUNT(ends); i++) {
      ho_buf_puts(out, i ? " -->|\"" : "  ");
      if (i) {
        put_label(out, ho_map_str(handoff, "id"));
        ho_buf_puts(out, "\"| ");
      }
      put_name(out, ends[i]);
      ho_buf_puts(out, "[\"");
      put_label(out, ends[i].n ? ends[i] : HO_STR("nobody in particular"));
      ho_buf_puts(out, "\"]");
    }
    ho_buf_putc(out, '\n');
  }
}

void ho_lineage_json(ho_buf *out, const ho_node *result)
{
  ho_json_write(out, result, 2);
  ho_buf_putc(out, '\n');
}
