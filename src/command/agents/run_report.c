/* The report of a run, in Markdown. */
#include "base/escape.h"
#include "base/term.h"
#include "command/agents/run_view.h"
#include "model/markdown/markdown_write.h"

/* A text as a cell of a table, or anywhere on a line; no HTML comes of it. */
static void put_cell(ho_buf *out, ho_str text)
{
  ho_buf line;
  ho_buf_init(&line, 0);
  ho_markdown_put_line(&line, text);
  ho_escape_backslash(out, ho_buf_str(&line), "|<");
  ho_buf_free_into(&line, out);
}

static void put_row(ho_buf *out, const ho_node *item, const char *const *keys)
{
  for (; *keys; keys++) {
    ho_str text = ho_map_str(item, *keys);
    bool unknown = strcmp(*keys, "tokens") == 0 && ho_str_is(text, "0");
    ho_buf_puts(out, "| ");
    put_cell(out, unknown ? HO_STR("-") : text);
    ho_buf_putc(out, ' ');
  }
  ho_buf_puts(out, "|\n");
}

static void put_table(ho_buf *out, const ho_node *list, const char *heading, const char *const *labels,
                      const char *const *keys)
{
  if (!list || !list->count)
    return;
  ho_buf_printf(out, "\n## %s\n\n", heading);
  for (size_t i = 0; labels[i]; i++)
    ho_buf_printf(out, "| %s ", labels[i]);
  ho_buf_puts(out, "|\n");
  for (size_t i = 0; labels[i]; i++)
    ho_buf_puts(out, "| --- ");
  ho_buf_puts(out, "|\n");
  HO_EACH_CONST (item, list)
    put_row(out, item, keys);
}

static void put_fact(ho_buf *out, const char *label, ho_str text)
{
  if (!text.n)
    return;
  ho_buf_printf(out, "- **%s**: ", label);
  put_cell(out, text);
  ho_buf_putc(out, '\n');
}

static void put_head(ho_buf *out, const ho_node *summary)
{
  ho_str title = ho_map_str(summary, "title"), why = ho_map_str(summary, "why");
  ho_buf_puts(out, "# Run ");
  put_cell(out, ho_map_str(summary, "run"));
  if (title.n) {
    ho_buf_puts(out, ": ");
    put_cell(out, title);
  }
  ho_buf_puts(out, "\n\n");
  put_fact(out, "Plan", ho_map_str(summary, "plan"));
  put_fact(out, "Task", ho_map_str(summary, "task"));
  put_fact(out, "State", ho_map_str(summary, "state"));
  put_fact(out, "Why", why);
  put_fact(out, "Started", ho_map_str(summary, "started"));
  put_fact(out, "Ended", ho_map_str(summary, "ended"));
  put_fact(out, "Seconds", ho_map_str(summary, "seconds"));
  if (!ho_str_is(ho_map_str(summary, "tokens"), "0"))
    put_fact(out, "Tokens", ho_map_str(summary, "tokens"));
}

/* Who succeeded whom, one line per handoff. */
static void put_successions(ho_buf *out, const ho_node *teammates)
{
  bool any = false;
  HO_EACH_CONST (mate, teammates) {
    long long n = 0;
    if (!ho_node_to_int(ho_map_getz(mate, "n"), &n) || n < 2)
      continue;
    ho_buf_puts(out, any ? "" : "\n## Successors\n\n");
    any = true;
    ho_buf_puts(out, "- ");
    put_cell(out, ho_map_str(mate, "id"));
    ho_buf_printf(out, " continued where teammate %lld stopped", n - 1);
    ho_str from = ho_map_str(mate, "from");
    if (from.n) {
      ho_buf_puts(out, ", from `");
      put_cell(out, from);
      ho_buf_putc(out, '`');
    }
    ho_buf_putc(out, '\n');
  }
}

const char *ho_run_view_part(ho_str plan)
{
  return ho_str_ends(plan, ".yaml") || ho_str_ends(plan, ".yml") ? "step" : "phase";
}

void ho_run_view_report(ho_buf *out, const ho_node *summary)
{
  bool phases = strcmp(ho_run_view_part(ho_map_str(summary, "plan")), "phase") == 0;
  const char *part = phases ? "Phase" : "Step";
  const char *const step_labels[] = {part, "Name", "State", "Teammates", "Tokens", "Result", NULL};
  static const char *const step_keys[] = {"step", "name", "state", "teammates", "tokens", "why", NULL};
  static const char *const mate_labels[] = {"Teammate", "Agent",        "Outcome", "Seconds",
                                            "Tokens",   "How it ended", "Log",     NULL};
  static const char *const mate_keys[] = {"id", "agent", "outcome", "seconds", "tokens", "why", "log", NULL};
  const char *const gate_labels[] = {"Gate", part, "To be decided", NULL};
  static const char *const gate_keys[] = {"gate", "step", "why", NULL};
  const char *const merge_labels[] = {part, "Branch", "Worktree", NULL};
  static const char *const merge_keys[] = {"step", "branch", "folder", NULL};
  put_head(out, summary);
  put_table(out, ho_map_getz(summary, "gates"), "A person has to decide", gate_labels, gate_keys);
  put_table(out, ho_map_getz(summary, "merge"), "To merge", merge_labels, merge_keys);
  put_table(out, ho_map_getz(summary, "steps"), phases ? "Phases" : "Steps", step_labels, step_keys);
  put_successions(out, ho_map_getz(summary, "teammates"));
  put_table(out, ho_map_getz(summary, "teammates"), "Teammates", mate_labels, mate_keys);
}

/* --- the ending, for people ---------------------------------------------------------------------------------------- */

static size_t count_state(const ho_node *steps, const char *states)
{
  size_t count = 0;
  HO_EACH_CONST (step, steps)
    count += ho_str_list_has(states, ho_map_str(step, "state"));
  return count;
}

void ho_run_view_ending(ho_buf *out, const ho_node *summary, ho_str report)
{
  const ho_node *steps = ho_map_getz(summary, "steps"), *mates = ho_map_getz(summary, "teammates");
  const char *part = ho_run_view_part(ho_map_str(summary, "plan"));
  ho_str why = ho_map_str(summary, "why");
  ho_term_put(out, ho_map_str(summary, "run"), HO_TERM_LINE);
  ho_str state = ho_map_str(summary, "state");
  bool failed = ho_str_is(state, "failed");
  ho_buf_puts(out, failed ? " " : " is ");
  ho_term_put(out, ho_str_is(state, "waiting") ? HO_STR("paused") : state, HO_TERM_LINE);
  if (why.n) {
    ho_buf_puts(out, ": ");
    ho_term_put(out, why, HO_TERM_LINE);
  }
  ho_buf_putc(out, '\n');
  if (!ho_node_empty(steps)) /* a worker has none */
    ho_buf_printf(out, "%zu of %u %s%s done by %u teammate%s\n", count_state(steps, "done|skipped"), steps->count, part,
                  ho_plural(steps->count), mates ? mates->count : 0, ho_plural(mates ? mates->count : 0));
  if (failed && !ho_node_empty(steps))
    ho_buf_puts(out,
                "to start what is left, run the same command again; to start from the beginning, add --from-start\n");
  HO_EACH_CONST (gate, ho_map_getz(summary, "gates")) {
    ho_buf_printf(out, "%s ", part);
    ho_term_put(out, ho_map_str(gate, "step"), HO_TERM_LINE);
    ho_buf_puts(out, " waits for a person; run: handoff gate show ");
    ho_term_put(out, ho_map_str(gate, "gate"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  HO_EACH_CONST (tree, ho_map_getz(summary, "merge")) {
    ho_buf_puts(out, "to merge, run: git merge ");
    ho_term_put(out, ho_map_str(tree, "branch"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  if (report.n) {
    ho_buf_puts(out, "report: ");
    ho_term_put(out, report, HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}
