#include "command/context_shown.h"

#include "base/term.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"

enum { CELLS = 10, NEAR = 10 };

ho_code ho_context_shown_settings(ho_call *call, ho_window_facts *facts, int64_t *threshold, ho_error *err)
{
  const ho_settings *settings = &call->project.settings;
  ho_window_environment(facts);
  ho_code code = ho_project_begin(&call->project, err);
  facts->configured = ho_settings_node(settings, "windows");
  *threshold = ho_settings_number(settings, "threshold");
  return code;
}

static size_t count(void *world, ho_str text)
{
  return ho_tokens_count(ho_host_tokens(world), text);
}

ho_counter ho_context_shown_counter(ho_host *host)
{
  return (ho_counter){count, host};
}

ho_node *ho_context_shown_count(ho_arena *arena, int64_t number)
{
  return number < 0 ? ho_node_new(arena, HO_KIND_NULL) : ho_node_number(arena, number);
}

ho_node *ho_context_shown_percent(ho_arena *arena, int64_t tenths)
{
  if (tenths < 0 || tenths % 10 == 0)
    return ho_context_shown_count(arena, tenths < 0 ? -1 : tenths / 10);
  ho_node *node =
      ho_node_text(arena, ho_arena_printf(arena, "%lld.%lld", (long long)tenths / 10, (long long)tenths % 10));
  if (node)
    node->kind = HO_KIND_NUMBER;
  return node;
}

/* Whole percent of a number as written, or -1. */
static int64_t whole_percent(const ho_node *percent)
{
  uint64_t whole;
  ho_str text = ho_node_str(percent);
  size_t point = ho_str_find_char(text, '.');
  return ho_str_to_u64(ho_str_sub(text, 0, point == HO_NONE ? text.n : point), &whole) ? (int64_t)whole : -1;
}

static void put_bar(ho_buf *out, int64_t percent, int64_t threshold, bool colour)
{
  int64_t full = percent < 0 ? 0 : percent >= 100 ? CELLS : percent * CELLS / 100;
  if (colour)
    ho_buf_puts(out, percent >= threshold ? "\x1b[31m" : percent >= threshold - NEAR ? "\x1b[33m" : "\x1b[32m");
  for (int64_t i = 0; i < CELLS; i++)
    ho_buf_puts(out, i < full ? "█" : "░");
  if (colour)
    ho_buf_puts(out, "\x1b[0m");
}

/* 200000 as 200k, 1000000 as 1M, 258400 as 258.4k. */
static void put_tokens(ho_buf *out, const ho_node *node)
{
  long long tokens;
  if (!ho_node_to_int(node, &tokens))
    return;
  if (tokens >= 1000000 && tokens % 100000 == 0)
    ho_buf_printf(out, tokens % 1000000 ? "%lld.%lldM" : "%lldM", tokens / 1000000, tokens % 1000000 / 100000);
  else if (tokens >= 1000)
    ho_buf_printf(out, tokens % 1000 >= 100 ? "%lld.%lldk" : "%lldk", tokens / 1000, tokens % 1000 / 100);
  else
    ho_buf_printf(out, "%lld", tokens);
}

void ho_context_shown_put(ho_buf *out, const ho_node *result, int64_t threshold, bool colour)
{
  const ho_node *percent = ho_map_getz(result, "percent"), *window = ho_map_getz(result, "window");
  const ho_node *used = ho_map_getz(result, "used");
  ho_str model = ho_map_str(result, "model");
  ho_term_put(out, model.n ? model : HO_STR("unknown model"), HO_TERM_LINE);
  ho_buf_puts(out, ho_node_absent(percent) ? ": " : " ");
  if (!ho_node_absent(percent)) {
    put_bar(out, whole_percent(percent), threshold, colour);
    ho_buf_printf(out, " %.*s %% of ", HO_ARG(ho_node_str(percent)));
    put_tokens(out, window);
  } else if (!ho_node_absent(used)) {
    put_tokens(out, used);
    ho_buf_puts(out, " tokens; window size unknown");
  } else {
    ho_buf_puts(out, "context usage unknown");
  }
  ho_buf_putc(out, '\n');
}
