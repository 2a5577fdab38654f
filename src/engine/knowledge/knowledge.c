/* Puts what documents say into the store. */
#include "engine/knowledge/knowledge.h"

#include "base/buf.h"
#include "engine/knowledge/knowledge_parts.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "store/handoffs/events.h"

/* ---- Nodes that have a name */

ho_code ho_knowledge_task(ho_project *project, ho_arena *arena, ho_str said, ho_str *out, ho_error *err)
{
  ho_str spellings[HO_ID_SPELLINGS];
  ho_known known;
  bool found = false;
  ho_code code = HO_OK;
  *out = ho_id_plain(said);
  if (!project->store || !ho_id_number(said).n)
    return HO_OK;
  size_t count = ho_id_spellings(arena, said, spellings);
  *out = spellings[0];
  for (size_t i = 0; !code && !found && i < count; i++) {
    code =
        ho_known_by_id(project->store, ho_knowledge_id(arena, HO_KNOWN_TASK, spellings[i]), arena, &known, &found, err);
    if (!code && found)
      *out = spellings[i];
  }
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_knowledge_begin(ho_knowing *k, bool *same, ho_error *err)
{
  ho_code code = ho_knowledge_task(k->project, k->arena, k->origin.task, &k->origin.task, err);
  return code ? code : ho_known_begin(k->project->store, &k->origin, same, err);
}

ho_code ho_knowledge_named(ho_knowing *k, ho_known_kind kind, ho_str name, const char *role, unsigned line, int64_t *n,
                           ho_error *err)
{
  int64_t print = ho_knowledge_print(k->arena, kind, name);
  for (size_t i = 0; i < HO_COUNT(k->named); i++)
    if (k->named[i].n && k->named[i].print == print) {
      *n = k->named[i].n;
      return HO_OK;
    }
  ho_code code = kind == HO_KNOWN_TASK ? ho_knowledge_task(k->project, k->arena, name, &name, err) : HO_OK;
  ho_known known = {.id = ho_knowledge_id(k->arena, kind, name), .kind = kind, .text = name, .state = HO_KNOWN_OPEN};
  ho_known_source source = {.line = line, .role = ho_str_of(role)};
  if (!code)
    code = ho_arena_code(k->arena, err);
  if (!code)
    code = ho_known_put(k->project->store, &known, ho_knowledge_print(k->arena, kind, name), &k->origin, &source,
                        k->arena, err);
  *n = known.n;
  k->named[k->next].print = print;
  k->named[k->next].n = code ? 0 : known.n;
  k->next = (k->next + 1) % HO_COUNT(k->named);
  return code;
}

static ho_code link_task(ho_knowing *k, int64_t node, ho_error *err)
{
  return k->task ? ho_known_link(k->project->store, node, HO_EDGE_DISCOVERED_IN, k->task, k->origin.n, err) : HO_OK;
}

static ho_code link_named(ho_knowing *k, int64_t node, ho_edge_type type, ho_known_kind kind, ho_str name,
                          unsigned line, ho_error *err)
{
  int64_t to = 0;
  ho_code code = ho_knowledge_named(k, kind, name, ho_known_edge_name(type), line, &to, err);
  return code ? code : ho_known_link(k->project->store, node, type, to, k->origin.n, err);
}

/* ---- The task, its name and outcome, who worked on it */

static ho_code put_task(ho_knowing *k, const ho_items *items, ho_error *err)
{
  ho_node *detail = ho_node_new(k->arena, HO_KIND_MAP);
  ho_known_state state = HO_KNOWN_OPEN;
  if (!k->origin.task.n)
    return HO_OK;
  ho_code code = ho_knowledge_task_state(k, &state, err);
  if (items->task_name.n)
    ho_map_addz(detail, "name", ho_node_text(k->arena, items->task_name));
  ho_known known = {.id = ho_knowledge_id(k->arena, HO_KNOWN_TASK, k->origin.task),
                    .kind = HO_KNOWN_TASK,
                    .text = k->origin.task,
                    .detail = detail && detail->count ? ho_event_data_json(k->arena, detail) : HO_EMPTY,
                    .state = state};
  ho_known_source source = {.line = 1, .role = HO_STR("task")};
  if (!code)
    code = ho_arena_code(k->arena, err);
  if (!code)
    code = ho_known_put(k->project->store, &known, ho_knowledge_print(k->arena, HO_KNOWN_TASK, k->origin.task),
                        &k->origin, &source, k->arena, err);
  k->task = known.n;
  if (!code && known.state != state)
    code = ho_known_set_state(k->project->store, known.n, state, err);
  HO_EACH_CONST (other, items->depends)
    if (!code)
      code = link_named(k, k->task, HO_EDGE_DEPENDS_ON, HO_KNOWN_TASK, other->text, 1, err);
  return code;
}

static ho_code put_agent(ho_knowing *k, ho_str name, ho_error *err)
{
  int64_t agent = 0;
  name = ho_str_trim(ho_identity_name(name));
  if (!name.n || name.n > 200)
    return HO_OK;
  ho_code code = ho_knowledge_named(k, HO_KNOWN_AGENT, name, "parties", 1, &agent, err);
  return code ? code : link_task(k, agent, err);
}

/* ---- Facts */

static int by_name(const void *left, const void *right)
{
  const ho_file_name *a = left, *b = right;
  int order = ho_str_cmp(a->name, b->name);
  return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* Indexes the files that the items name, by path and by last name; done on first use. */
static void index_files(ho_knowing *k, const ho_items *items)
{
  k->indexed = true;
  k->files = ho_arena_array(k->arena, 2 * items->count + 1, sizeof *k->files);
  for (size_t i = 0; k->files && i < items->count; i++)
    if (items->rows[i].kind == HO_KNOWN_FILE) {
      ho_str path = items->rows[i].text;
      k->files[k->file_count++] = (ho_file_name){path, path, i};
      k->files[k->file_count++] = (ho_file_name){ho_fs_name(path), path, i};
    }
  if (k->file_count)
    qsort(k->files, k->file_count, sizeof *k->files, by_name);
}

/* The first file among the items with this path or last name. */
static ho_str file_called(ho_knowing *k, const ho_items *items, ho_str name)
{
  if (!k->indexed)
    index_files(k, items);
  size_t from = 0, to = k->file_count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (ho_str_cmp(k->files[middle].name, name) < 0)
      from = middle + 1;
    else
      to = middle;
  }
  return from < k->file_count && ho_str_eq(k->files[from].name, name) ? k->files[from].path : HO_EMPTY;
}

static ho_code link_item(ho_knowing *k, const ho_items *items, const ho_item *item, int64_t node, ho_error *err)
{
  ho_str rest = item->tags, tag;
  ho_code code = link_task(k, node, err);
  while (!code && rest.n && ho_str_next(&rest, ' ', &tag))
    code = link_named(k, node, HO_EDGE_APPLIES_TO, HO_KNOWN_TAG, tag, item->line, err);
  if (!code && item->place.n)
    code = link_named(k, node, HO_EDGE_LOCATED_IN, HO_KNOWN_FILE, item->place, item->line, err);
  HO_EACH_CONST (task, item->tasks) {
    ho_str id = ho_str_trim(ho_node_str(task));
    if (!code && id.n)
      code = link_named(k, node, HO_EDGE_BLOCKS, HO_KNOWN_TASK, id, item->line, err);
  }
  HO_EACH_CONST (need, item->needs) {
    ho_str path = file_called(k, items, ho_node_str(need));
    if (!code && path.n)
      code = link_named(k, node, HO_EDGE_DEPENDS_ON, HO_KNOWN_FILE, path, item->line, err);
  }
  return code;
}

/* The id of its author, unless a handoff is called so: that is meant by it wherever ids are given. */
static bool has_own_id(ho_knowing *k, const ho_item *item)
{
  ho_handoff row;
  ho_error none = {0};
  return item->id.n && item->id.n <= 100 &&
         (!item->own_id || ho_handoffs_get(k->project->store, item->id, k->arena, &row, &none) == HO_NOT_FOUND);
}

static ho_str made_id(ho_knowing *k, const ho_item *item, int64_t print)
{
  ho_buf out;
  if (has_own_id(k, item))
    return item->id;
  if (ho_known_is_path(item->kind))
    return ho_knowledge_id(k->arena, item->kind, item->text);
  ho_buf_init(&out, 0);
  for (const char *p = ho_words_name(&ho_known_kinds, item->kind); *p; p++)
    ho_buf_putc(&out, *p == '_' ? '-' : *p);
  ho_buf_printf(&out, "-%08llx", (unsigned long long)print & 0xffffffffu);
  return ho_buf_move(&out, k->arena);
}

/* Is it open, and if not, which document closed it? That others go on with their part of a halted task closes nothing. */
static ho_code look_at_asking(ho_knowing *k, const ho_item *item, bool halts, ho_known_source *source, ho_error *err)
{
  ho_code code = HO_OK;
  if (!ho_known_asks(item->kind))
    return HO_OK;
  if (item->resolved)
    source->closed_by = k->origin.name;
  else if (k->origin.task.n && !halts)
    code = ho_known_completed(k->project->store, k->origin.task, k->origin.phase, k->origin.at, k->arena,
                              &source->closed_by, err);
  if (!code && !source->closed_by.n)
    source->asks = k->origin.task.n && !halts ? k->origin.task : HO_STR("-");
  return code;
}

/* What a document itself calls resolved is closed wherever it was asked before, in whatever order the documents are
 * learned. */
static ho_code resolve(ho_knowing *k, const ho_item *item, const ho_known *known, ho_error *err)
{
  enum { LOOKED_AT = 50 };
  ho_known_source_list said;
  if (item->resolved)
    return ho_known_close(k->project->store, known->n, 0, k->origin.name, err);
  if (known->sources < 2 || !ho_known_asks(known->kind))
    return HO_OK;
  ho_code code = ho_known_sources(k->project->store, known->n, LOOKED_AT, k->arena, &said, err);
  for (size_t i = 0; !code && i < said.count; i++)
    if (said.rows[i].at > k->origin.at && ho_str_eq(said.rows[i].closed_by, said.rows[i].origin))
      return ho_known_close(k->project->store, known->n, k->origin.n, said.rows[i].origin, err);
  return code;
}

static ho_code put_item(ho_knowing *k, const ho_items *items, ho_item *item, int64_t *n, ho_error *err)
{
  int64_t print = ho_knowledge_print(k->arena, item->kind, item->whole.n ? item->whole : item->text);
  ho_code code = ho_knowledge_scope_id(k, print, item, err);
  if (code)
    return code;
  ho_known known = {.id = made_id(k, item, print),
                    .kind = item->kind,
                    .text = item->text,
                    .detail = item->detail ? ho_event_data_json(k->arena, item->detail) : HO_EMPTY,
                    .tags = item->tags,
                    .severity = item->severity};
  ho_known_source source = {.line = item->line, .role = ho_str_of(item->role), .note = item->note};
  code = look_at_asking(k, item, items->halts, &source, err);
  known.state = source.closed_by.n ? HO_KNOWN_CLOSED : HO_KNOWN_OPEN;
  if (!code)
    code = ho_arena_code(k->arena, err);
  if (!code)
    code = ho_known_put(k->project->store, &known, print, &k->origin, &source, k->arena, err);
  if (!code)
    code = link_item(k, items, item, known.n, err);
  if (!code && items->halts && item->kind == HO_KNOWN_BLOCKER && k->task)
    code = ho_known_link(k->project->store, known.n, HO_EDGE_BLOCKS, k->task, k->origin.n, err);
  if (!code)
    code = ho_knowledge_hold_again(k, &known, err);
  if (!code)
    code = ho_knowledge_supersede(k, item, &known, err);
  if (!code)
    code = resolve(k, item, &known, err);
  if (!code && item->tasks)
    code = ho_knowledge_unblock(k, known.n, err);
  *n = known.n;
  return code;
}

ho_code ho_knowledge_put(ho_knowing *k, const ho_items *items, ho_error *err)
{
  bool same = false;
  int64_t n;
  ho_code code = ho_knowledge_begin(k, &same, err);
  k->same = same;
  if (code || same)
    return code;
  code = put_task(k, items, err);
  if (!code)
    code = put_agent(k, k->origin.agent, err);
  HO_EACH_CONST (agent, items->parties)
    if (!code)
      code = put_agent(k, agent->text, err);
  for (size_t i = 0; !code && i < items->count; i++)
    code = put_item(k, items, &items->rows[i], &n, err);
  return code ? code : ho_knowledge_settle(k, err);
}

/* ---- Documents */

static ho_code learn(ho_knowing *k, const ho_items *items, ho_learned *sum, ho_error *err)
{
  ho_code code = ho_knowledge_put(k, items, err);
  if (!code && sum) {
    sum->documents += !k->same;
    sum->unchanged += k->same;
    sum->items += k->same ? 0 : items->count;
    sum->left_out += k->same ? 0 : items->left_out;
  }
  return code;
}

/* Whoever handed it over, by its name. A document does not have a person say anything: one that names a person who did
 * not send it has no author. */
static ho_code author_of(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str *out, ho_error *err)
{
  ho_event_list events;
  *out = ho_identity_name(row->sender);
  if (!ho_str_starts(row->sender, HO_PROJECT_PERSON))
    return HO_OK;
  ho_code code = ho_events_whole(project->store, row->id, arena, &events, err);
  if (!code && !(events.count && ho_str_eq(events.rows[0].actor, row->sender)))
    *out = HO_EMPTY;
  return code;
}

ho_code ho_knowledge_handoff(ho_project *project, ho_arena *arena, const ho_handoff *row, const ho_doc *doc,
                             ho_learned *sum, ho_error *err)
{
  ho_items items = {0};
  ho_str author;
  ho_code code = author_of(project, arena, row, &author, err);
  if (!code)
    code = ho_knowledge_items(doc, project->home, arena, &items, err);
  ho_knowing k = {
      .project = project,
      .arena = arena,
      .origin = {.name = row->id,
                 .digest = row->digest,
                 .format = row->kind,
                 .task = row->task.n ? ho_id_plain(row->task) : items.task,
                 .phase = ho_knowledge_phase_of(arena, row, row->phase.n ? ho_id_plain(row->phase) : items.phase),
                 .agent = author,
                 .outcome = items.outcome,
                 .at = row->created}};
  return code ? code : learn(&k, &items, sum, err);
}

/* A file as an origin. Handoffs and what is said about them have names, too ("HO-2026-001", "HO-2026-001#G-2026-001",
 * "answer:question-1"): a file that is called so takes the place of none of them. */
static ho_code file_origin(ho_project *project, ho_arena *arena, ho_str name, ho_str *out, ho_error *err)
{
  ho_handoff row;
  ho_error none = {0};
  bool like =
      ho_str_starts(name, "HO-") || ho_str_starts(name, HO_ORIGIN_ANSWER) || ho_str_find_char(name, '#') != HO_NONE;
  ho_code code = like || !ho_id_fits(name) ? HO_NOT_FOUND : ho_handoffs_get(project->store, name, arena, &row, &none);
  if (code && code != HO_NOT_FOUND)
    return *err = none, code;
  *out = like || !code ? ho_arena_printf(arena, "./%.*s", HO_ARG(name)) : name;
  return HO_OK;
}

ho_code ho_knowledge_file(ho_project *project, ho_arena *arena, ho_str name, ho_str digest, int64_t at,
                          const ho_doc *doc, ho_learned *sum, ho_error *err)
{
  ho_items items;
  ho_handoff row;
  bool found = false;
  ho_code code = ho_handoffs_by_digest(project->store, digest, arena, &row, &found, err);
  if (!code && found)
    return ho_knowledge_handoff(project, arena, &row, doc, sum, err);
  if (!code)
    code = ho_knowledge_items(doc, project->home, arena, &items, err);
  if (!code)
    code = file_origin(project, arena, name, &name, err);
  if (code)
    return code;
  ho_knowing k = {.project = project,
                  .arena = arena,
                  .origin = {.name = name,
                             .digest = digest,
                             .format = ho_str_of(doc->format->name),
                             .task = items.task,
                             .phase = items.phase,
                             .agent = ho_str_starts(items.agent, HO_PROJECT_PERSON) ? HO_EMPTY : items.agent,
                             .outcome = items.outcome,
                             .at = items.at ? items.at : at}};
  return learn(&k, &items, sum, err);
}
