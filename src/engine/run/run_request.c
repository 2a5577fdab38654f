/* The request of a workflow's step: what its teammate is asked for, as a document. */
#include "base/buf.h"
#include "doc/json/json.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/project/redact.h"
#include "engine/run/run_parts.h"

ho_str ho_run_request_clip(const ho_run *run, ho_arena *arena, ho_str text, size_t most)
{
  while (text.n && ho_tokens_count(run->options->tokens, text) > most)
    text = ho_quote_clean(arena, text, text.n * 3 / 4, true);
  return text;
}

/* What the steps before it found, as stated in their responses. */
static ho_str previous(ho_run *run, const ho_plan_step *planned, ho_arena *arena)
{
  enum { MOST_TOKENS = 500 };
  ho_buf text;
  ho_buf_init(&text, 0);
  for (size_t i = 0; i < planned->need_count; i++) {
    ho_str summary = run->steps[planned->needs[i]].summary;
    if (summary.n)
      ho_buf_printf(&text, "%s%.*s", text.n ? " " : "", HO_ARG(summary));
  }
  return ho_run_request_clip(run, arena, ho_buf_move(&text, arena), MOST_TOKENS);
}

static void put_texts(ho_arena *arena, ho_node *list, const char *before, const ho_str *texts, size_t count)
{
  for (size_t i = 0; i < count; i++)
    ho_list_add(list, ho_node_text(arena, ho_arena_printf(arena, "%s%.*s", before, HO_ARG(texts[i]))));
}

static ho_str first_of(ho_str a, ho_str b, ho_str c)
{
  return a.n ? a : b.n ? b : c;
}

static ho_node *request(ho_run *run, const ho_plan_step *planned, ho_arena *a)
{
  static const char *const outputs[] = {[HO_PLAN_WRITE] = "files_changed",
                                        [HO_PLAN_RESEARCH] = "structured_findings",
                                        [HO_PLAN_VALIDATE] = "validation_result",
                                        [HO_PLAN_PARALLEL] = "aggregated_results"};
  ho_node *out = ho_node_new(a, HO_KIND_MAP);
  ho_map_addz(out, "task_id", ho_node_text(a, run->row.task));
  ho_map_addz(out, "phase", ho_node_textz(a, ho_plan_steps_kind_name(planned->kind)));
  ho_node *context = ho_map_addz(out, "context", ho_node_new(a, HO_KIND_MAP));
  ho_map_addz(context, "feature", ho_node_text(a, first_of(planned->feature, run->row.title, run->row.task)));
  ho_map_addz(context, "spec_path", ho_node_text(a, planned->spec.n ? planned->spec : run->plan.path));
  put_texts(a, ho_map_addz(context, "relevant_files", ho_node_new(a, HO_KIND_LIST)), "", planned->files,
            planned->file_count);
  ho_node *constraints = ho_map_addz(context, "constraints", ho_node_new(a, HO_KIND_LIST));
  put_texts(a, constraints, "", planned->constraints, planned->constraint_count);
  put_texts(a, constraints, HO_RUN_CRITERION, planned->criteria, planned->criterion_count);
  ho_map_put(a, context, "previous_findings", previous(run, planned, a));
  ho_map_addz(out, "instructions", ho_node_text(a, planned->goal.n ? planned->goal : planned->name));
  ho_map_addz(out, "expected_output",
              planned->output.n ? ho_node_text(a, planned->output) : ho_node_textz(a, outputs[planned->kind]));
  return out;
}

ho_code ho_run_request_write(ho_run *run, ho_run_mate *mate, ho_str *file, ho_error *err)
{
  ho_buf text;
  ho_arena *arena = &mate->arena;
  *file = ho_fs_join(arena, ho_run_files(run, arena, mate->row.id), HO_STR(HO_RUN_REQUEST));
  ho_buf_init(&text, 0);
  ho_json_write(&text, request(run, &run->plan.items[mate->step], arena), 2);
  ho_code code = ho_buf_code(&text, err);
  if (!code)
    code = ho_arena_code(arena, err);
  if (!code)
    code = ho_fs_write(file->p, ho_redact_file(run->project, arena, *file, ho_buf_str(&text)), HO_FS_REPLACE, err);
  ho_buf_free(&text);
  return code;
}
