/* What the steps found that another one joins, as a response of the phase `parallel`: a file among the task's reports, and
 * a handoff to the lead. A lead that was killed writes the same again. */
#include "base/buf.h"
#include "doc/json/json.h"
#include "engine/project/project.h"
#include "engine/project/redact.h"
#include "engine/run/joined.h"
#include "engine/run/run_parts.h"
#include "model/formats/formats.h"
#include "model/formats/response_findings.h"
#include "store/handoffs/bodies.h"

/* The response of a joined step, read; NULL if it is not recorded. */
static ho_code read_response(ho_run *run, size_t step, ho_arena *arena, const ho_node **out, ho_error *err)
{
  ho_handoff row;
  ho_doc *doc = HO_NEW(arena, ho_doc);
  ho_str body;
  ho_error none = {0};
  bool found = false;
  *out = NULL;
  ho_code code = doc ? ho_run_response(run, step, arena, &row, &found, err) : ho_fail_memory(err);
  if (code || !found)
    return code;
  code = ho_bodies_get(run->project->store, row.digest, arena, &body, err);
  if (!code && !ho_doc_read(doc, arena, HO_STR("response.json"), body, &ho_format_response, &none))
    *out = doc->root;
  return code;
}

/* One that somebody has said something about says so: its STOP was answered, or its result rejected. */
static ho_str with_note(ho_arena *arena, ho_str issue, ho_str note)
{
  return note.n ? ho_arena_printf(arena, "%.*s (answered: %.*s)", HO_ARG(issue), HO_ARG(note)) : issue;
}

static void take_issues(ho_run *run, size_t step, const ho_node *response, ho_arena *arena, ho_joined *out)
{
  const ho_node *list = ho_response_findings_issues(response);
  size_t most = ho_node_is(list, HO_KIND_LIST) ? list->count : 0;
  ho_str *issues = ho_arena_array(arena, most + 1, sizeof *issues), note = run->steps[step].note;
  if (!issues)
    return;
  if (most)
    HO_EACH_CONST (item, list)
      issues[out->issue_count++] = with_note(arena, ho_response_findings_text(item), note);
  else if (!out->passed)
    issues[out->issue_count++] = with_note(arena, run->steps[step].why, note);
  out->issues = issues;
}

static ho_code describe(ho_run *run, size_t step, ho_arena *arena, ho_joined *out, ho_error *err)
{
  const ho_node *response;
  const ho_run_step *s = &run->steps[step];
  ho_code code = read_response(run, step, arena, &response, err);
  *out = (ho_joined){.id = s->step,
                     .type = ho_str_of(ho_plan_steps_kind_name(run->plan.items[step].kind)),
                     .summary = s->summary.n ? s->summary : s->why,
                     .details = ho_map_getz(response, "findings"),
                     .passed = !ho_run_is(run, step, HO_STEP_FAILED),
                     .asks = ho_str_is(ho_map_str(response, "decision"), "CLARIFY")};
  if (!code)
    take_issues(run, step, response, arena, out);
  return code;
}

ho_code ho_run_joined_results(ho_run *run, size_t step, ho_arena *arena, ho_joined **out, ho_error *err)
{
  const ho_plan_step *planned = &run->plan.items[step];
  ho_code code = HO_OK;
  *out = ho_arena_array(arena, planned->need_count, sizeof **out);
  for (size_t i = 0; *out && !code && i < planned->need_count; i++)
    code = describe(run, planned->needs[i], arena, &(*out)[i], err);
  return code ? code : ho_arena_code(arena, err);
}

static ho_str document(ho_run *run, size_t step, ho_arena *a, const ho_run_verdict *v)
{
  ho_buf text;
  ho_node *root = ho_node_new(a, HO_KIND_MAP);
  const size_t *needs = run->plan.items[step].needs;
  int64_t tokens = 0;
  for (size_t i = 0; i < v->total; i++)
    tokens += run->steps[needs[i]].tokens;
  ho_map_addz(root, "task_id", ho_node_text(a, run->row.task));
  ho_map_addz(root, "phase", ho_node_textz(a, ho_plan_steps_kind_name(HO_PLAN_PARALLEL)));
  ho_map_addz(root, "status", ho_node_textz(a, "complete"));
  ho_map_addz(root, "decision", ho_node_textz(a, v->passes ? "PROCEED" : "CLARIFY"));
  ho_node *findings = ho_map_addz(root, "findings", ho_node_new(a, HO_KIND_MAP));
  ho_node *results = ho_map_addz(findings, "results", ho_node_new(a, HO_KIND_LIST));
  ho_map_addz(findings, "aggregation", ho_joined_sum(a, v->rule, v->total, v->passed, v->passes));
  ho_map_addz(root, "context_summary", ho_node_text(a, run->steps[step].summary));
  ho_map_addz(root, "tokens_used", ho_node_number(a, tokens));
  ho_node *issues = ho_map_addz(root, "issues", ho_node_new(a, HO_KIND_LIST));
  if (!v->passes)
    ho_list_add(issues, ho_node_text(a, ho_arena_printf(a, "%.*s: continue anyway?", HO_ARG(v->text))));
  for (size_t i = 0; i < v->total; i++) {
    ho_list_add(results, ho_joined_result(a, &v->results[i]));
    ho_joined_issues(issues, a, &v->results[i]);
  }
  ho_buf_init(&text, 0);
  ho_json_write(&text, root, 2);
  return ho_buf_move(&text, a);
}

ho_code ho_run_write_results(ho_run *run, size_t step, ho_arena *arena, const ho_run_verdict *verdict, ho_error *err)
{
  ho_error why = {0};
  ho_str key = run->plan.items[step].key, id = ho_arena_printf(arena, "%.*s/%.*s.%lld", HO_ARG(run->row.id),
                                                               HO_ARG(key), (long long)ho_run_times(run, step));
  ho_str folder = ho_fs_join(arena, run->project->root, ho_fs_join(arena, run->folder, HO_STR("reports")));
  ho_str path = ho_fs_join(arena, folder, ho_arena_printf(arena, "%.*s.response.json", HO_ARG(key)));
  ho_str text = ho_redact_file(run->project, arena, path, document(run, step, arena, verdict));
  ho_run_exchange exchange = {.run = run, .arena = arena};
  ho_code code = ho_arena_code(arena, err);
  if (code)
    return code;
  const char *root = ho_arena_z(arena, run->project->root);
  code = ho_fs_mkdirs_in(root, folder.p, &why);
  if (!code)
    code = ho_fs_write_in(root, path.p, text, HO_FS_REPLACE, &why);
  if (code)
    ho_run_note(run, "the results of step %.*s could not be written to %.*s: %s", HO_ARG(key), HO_ARG(path),
                why.message);
  return ho_run_exchange_joined(&exchange, ho_run_response_key(arena, id), code ? HO_EMPTY : path, text, err);
}
