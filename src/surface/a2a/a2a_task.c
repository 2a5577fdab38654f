/* A handoff as a task: its state, what was said, what came of it. */
#include "surface/a2a/a2a_task.h"

#include "model/lifecycle.h"

HO_WORDS(ho_a2a_states, "a state of a task", "", HO_A2A_STATES);

char ho_a2a_state_is(ho_a2a_state state)
{
  static const char is[] = {0,
#define X(name, text, is) is,
                            HO_A2A_STATES(X)
#undef X
  };
  return is[state];
}

/* Is it rejected because its sender took it back? Only its history tells. */
static bool was_withdrawn(ho_a2a *a, ho_str id)
{
  ho_a2a_fault none;
  const ho_node *log = ho_a2a_run(a, &ho_command_log, ho_a2a_args(a, "id", id), &none);
  HO_EACH_CONST (event, ho_map_getz(log, "events"))
    if (ho_str_is(ho_map_str(event, "event"), ho_event_kind_name(HO_EVENT_WITHDRAWN)))
      return true;
  return false;
}

ho_a2a_state ho_a2a_state_of(ho_a2a *a, const ho_node *record)
{
  ho_state state = HO_STATE_NONE;
  (void)ho_state_named(ho_map_str(record, "state"), &state);
  if (state == HO_STATE_ARCHIVED && !ho_state_named(ho_map_str(record, "outcome"), &state))
    state = HO_STATE_DONE; /* it was finished */
  switch (state) {
  case HO_STATE_DRAFT:
  case HO_STATE_READY:
  case HO_STATE_CLAIMED:
    return HO_A2A_STATE_SUBMITTED;
  case HO_STATE_ACKED:
    return HO_A2A_STATE_WORKING;
  case HO_STATE_CLARIFY:
    return HO_A2A_STATE_INPUT_REQUIRED;
  case HO_STATE_GATED:
    return a->access->role == HO_ACCESS_DECIDE ? HO_A2A_STATE_INPUT_REQUIRED : HO_A2A_STATE_AUTH_REQUIRED;
  case HO_STATE_DONE:
    return HO_A2A_STATE_COMPLETED;
  case HO_STATE_REJECTED:
    return was_withdrawn(a, ho_map_str(record, "id")) ? HO_A2A_STATE_CANCELED : HO_A2A_STATE_REJECTED;
  case HO_STATE_SUPERSEDED:
    return HO_A2A_STATE_CANCELED;
  case HO_STATE_EXPIRED:
    return HO_A2A_STATE_FAILED;
  case HO_STATE_ARCHIVED:
  case HO_STATE_NONE:
  case HO_STATE_COUNT:
    break;
  }
  return HO_A2A_STATE_NONE;
}

ho_a2a_state ho_a2a_task_state(const ho_node *task)
{
  int state = HO_A2A_STATE_NONE;
  (void)ho_words_find(&ho_a2a_states, ho_node_str(ho_node_by_names(task, "status.state")), &state);
  return (ho_a2a_state)state;
}

/* ---- Messages. */

static ho_node *add_text(ho_a2a *a, ho_node *parts, ho_str text)
{
  ho_node *part = ho_list_add(parts, ho_node_new(a->arena, HO_KIND_MAP));
  ho_map_addz(part, "text", ho_node_text(a->arena, text));
  ho_map_addz(part, "mediaType", ho_node_textz(a->arena, "text/plain"));
  return part;
}

static ho_node *add_data(ho_a2a *a, ho_node *parts, ho_node *data)
{
  ho_node *part = ho_list_add(parts, ho_node_new(a->arena, HO_KIND_MAP));
  ho_map_addz(part, "data", data);
  ho_map_addz(part, "mediaType", ho_node_textz(a->arena, "application/json"));
  return data;
}

/* n: which one of the task's, so that it has the same id whenever it is shown. Returns its parts. */
static ho_node *put_message(ho_a2a *a, ho_node *map, const ho_node *task, size_t n, bool asks)
{
  ho_str id = ho_map_str(task, "id");
  ho_map_addz(map, "messageId", ho_node_text(a->arena, ho_arena_printf(a->arena, "%.*s-%zu", HO_ARG(id), n)));
  ho_map_put(a->arena, map, "taskId", id);
  ho_map_put(a->arena, map, "contextId", ho_map_str(task, "contextId"));
  ho_map_addz(map, "role", ho_node_textz(a->arena, asks ? "ROLE_AGENT" : "ROLE_USER"));
  return ho_map_addz(map, "parts", ho_node_new(a->arena, HO_KIND_LIST));
}

/* The newest `most` messages: the document, then what was said. */
static void put_history(ho_a2a *a, ho_node *task, const ho_node *record, size_t most)
{
  ho_node *history = ho_node_new(a->arena, HO_KIND_LIST);
  const ho_node *talk = ho_map_getz(record, "talk");
  size_t n = 0, count = (talk ? talk->count : 0) + 1;
  if (count <= most)
    add_data(a, put_message(a, ho_list_add(history, ho_node_new(a->arena, HO_KIND_MAP)), task, 0, false),
             ho_node_copy(a->arena, ho_map_getz(record, "document")));
  HO_EACH_CONST (said, talk) {
    if (count - ++n > most)
      continue;
    ho_node *message = ho_list_add(history, ho_node_new(a->arena, HO_KIND_MAP)), *more;
    bool by_sender = ho_str_eq(ho_map_str(said, "by"), ho_map_str(record, "from"));
    add_text(a, put_message(a, message, task, n, !by_sender), ho_map_str(said, "text"));
    more = ho_map_addz(message, "metadata", ho_node_new(a->arena, HO_KIND_MAP));
    ho_map_put(a->arena, more, "kind", ho_map_str(said, "kind"));
    ho_map_put(a->arena, more, "by", ho_map_str(said, "by"));
    ho_map_put(a->arena, more, "at", ho_map_str(said, "at"));
  }
  if (history && history->count)
    ho_map_addz(task, "history", history);
}

/* ---- Status. */

/* What was asked since the last answer, a line each; if nothing, what was said last. */
static ho_str said_last(ho_a2a *a, const ho_node *record, ho_a2a_state state)
{
  ho_str asked = HO_EMPTY, last = HO_EMPTY;
  HO_EACH_CONST (said, ho_map_getz(record, "talk")) {
    ho_str kind = ho_map_str(said, "kind"), text = ho_map_str(said, "text");
    if (ho_str_is(kind, "answer"))
      asked = HO_EMPTY;
    else if (ho_str_list_has("blocker|question", kind))
      asked = asked.n ? ho_arena_printf(a->arena, "%.*s\n%.*s", HO_ARG(asked), HO_ARG(text)) : text;
    else
      last = text;
  }
  return asked.n || ho_a2a_state_is(state) != 'E' ? asked : last;
}

static void put_gate(ho_a2a *a, ho_node *parts, const ho_node *record)
{
  static const char *const shown[] = {"id", "name", "digest", "raised_by", "deadline"};
  ho_a2a_fault none;
  ho_str id = ho_map_str(record, "gate");
  bool decides = a->access->role == HO_ACCESS_DECIDE;
  ho_str url = ho_arena_printf(a->arena, "%.*s/api/v1/gate/show/%.*s", HO_ARG(a->base), HO_ARG(id));
  const ho_node *gate = ho_a2a_run(a, &ho_command_gate_show, ho_a2a_args(a, "gate", id), &none);
  add_text(a, parts,
           ho_arena_printf(a->arena,
                           decides ? "%.*s: %.*s Send approve, reject or question, and why."
                                   : "%.*s waits for a person: %.*s",
                           HO_ARG(id), HO_ARG(decides ? ho_map_str(gate, "name") : url)));
  if (decides && gate)
    add_text(a, parts, ho_map_str(gate, "text"));
  ho_node *data = add_data(a, parts, ho_node_new(a->arena, HO_KIND_MAP));
  for (size_t i = 0; gate && i < HO_COUNT(shown); i++)
    ho_map_put(a->arena, data, shown[i], ho_map_str(gate, shown[i]));
  ho_map_addz(data, "url", ho_node_text(a->arena, url));
}

/* record: with what was said, if it has a talk. */
static void put_status(ho_a2a *a, ho_node *task, const ho_node *record)
{
  ho_a2a_state state = ho_a2a_state_of(a, record);
  ho_node *status = ho_map_addz(task, "status", ho_node_new(a->arena, HO_KIND_MAP));
  ho_map_addz(status, "state", ho_node_textz(a->arena, ho_words_name(&ho_a2a_states, state)));
  ho_map_put(a->arena, status, "timestamp", ho_map_str(record, "updated"));
  const ho_node *talk = ho_map_getz(record, "talk");
  ho_str text = said_last(a, record, state);
  bool gated = talk && ho_str_is(ho_map_str(record, "state"), ho_state_name(HO_STATE_GATED));
  if (!gated && !text.n)
    return;
  ho_node *message = ho_map_addz(status, "message", ho_node_new(a->arena, HO_KIND_MAP));
  ho_node *parts = put_message(a, message, task, talk->count + 1, true);
  if (gated)
    put_gate(a, parts, record);
  if (text.n)
    add_text(a, parts, text);
}

ho_node *ho_a2a_task_brief(ho_a2a *a, const ho_node *record)
{
  static const char *const more[] = {"from",  "to",     "kind", "type",          "task",
                                     "phase", "parent", "gate", "superseded_by", "subject"};
  ho_node *task = ho_node_new(a->arena, HO_KIND_MAP);
  ho_str about = ho_map_str(record, "task");
  ho_map_put(a->arena, task, "id", ho_map_str(record, "id"));
  ho_map_put(a->arena, task, "contextId", about.n ? about : ho_map_str(record, "session"));
  put_status(a, task, record);
  ho_node *metadata = ho_map_addz(task, "metadata", ho_node_new(a->arena, HO_KIND_MAP));
  for (size_t i = 0; i < HO_COUNT(more); i++)
    if (ho_map_str(record, more[i]).n)
      ho_map_put(a->arena, metadata, more[i], ho_map_str(record, more[i]));
  return task;
}

/* ---- What came of it. */

static ho_node *add_artifact(ho_a2a *a, ho_node *list, ho_str id, ho_str name)
{
  ho_node *artifact = ho_list_add(list, ho_node_new(a->arena, HO_KIND_MAP));
  ho_map_addz(artifact, "artifactId", ho_node_text(a->arena, id));
  ho_map_addz(artifact, "name", ho_node_text(a->arena, name));
  return ho_map_addz(artifact, "parts", ho_node_new(a->arena, HO_KIND_LIST));
}

/* The note with which it was ended, and the document that was returned. */
static bool put_artifacts(ho_a2a *a, ho_node *task, ho_a2a_fault *fault)
{
  ho_str id = ho_map_str(task, "id");
  ho_node *list = ho_node_new(a->arena, HO_KIND_LIST);
  const ho_node *log = ho_a2a_run(a, &ho_command_log, ho_a2a_args(a, "id", id), fault);
  if (!log)
    return false;
  HO_EACH_CONST (event, ho_map_getz(log, "events")) {
    ho_str kind = ho_map_str(event, "event"), note = ho_node_str(ho_node_by_names(event, "data.note")),
           by = ho_node_str(ho_node_by_names(event, "data.by"));
    if (ho_str_list_has("done|finished", kind) && note.n)
      add_text(a, add_artifact(a, list, ho_arena_printf(a->arena, "%.*s-note", HO_ARG(id)), HO_STR("note")), note);
    if (!ho_str_is(kind, ho_event_kind_name(HO_EVENT_RETURNED)))
      continue;
    const ho_node *shown = ho_a2a_run(a, &ho_command_show, ho_a2a_args(a, "path", by), fault);
    if (!shown)
      return false;
    ho_node *parts = add_artifact(a, list, by, ho_map_str(shown, "format"));
    add_text(a, parts, ho_map_str(shown, "text"));
    add_data(a, parts, ho_node_copy(a->arena, ho_node_by_names(shown, "handoff.document")));
  }
  if (list && list->count)
    ho_map_addz(task, "artifacts", list);
  return true;
}

ho_node *ho_a2a_task(ho_a2a *a, ho_str id, size_t history, bool artifacts, ho_a2a_fault *fault)
{
  const ho_node *shown = ho_a2a_run(a, &ho_command_show, ho_a2a_args(a, "path", id), fault);
  const ho_node *record = ho_map_getz(shown, "handoff");
  if (!shown)
    return NULL;
  if (!record)
    return ho_a2a_fail(a, fault, HO_A2A_NO_TASK, "there is no task '%.*s'", HO_ARG(ho_str_sub(id, 0, 80)));
  ho_node *task = ho_a2a_task_brief(a, record);
  put_history(a, task, record, history);
  if (artifacts && ho_a2a_task_state(task) == HO_A2A_STATE_COMPLETED && !put_artifacts(a, task, fault))
    return NULL;
  return task;
}
