/* SendMessage: a message without a task is a new handoff; with one, the answer to what was asked, or a person's decision. */
#include "doc/json/json.h"
#include "engine/project/identity.h"
#include "model/lifecycle.h"
#include "model/syntax.h"
#include "surface/a2a/a2a_task.h"

/* What the parts of a message say. */
typedef struct speech {
  ho_str text;         /* in words */
  ho_str document;     /* or as a document; p NULL: none */
  const ho_node *data; /* likewise, as structured data */
} speech;

static bool is_document(ho_str media)
{
  return ho_str_list_has("application/yaml|application/x-yaml|text/yaml|application/json|text/markdown", media);
}

/* Takes one part: words follow those before, a document is the only one. False: it is neither. */
static bool take_part(const ho_node *part, speech *out, ho_buf *words)
{
  const ho_node *text = ho_map_getz(part, "text"), *data = ho_map_getz(part, "data");
  bool document = is_document(ho_map_str(part, "mediaType"));
  if (ho_node_is(text, HO_KIND_TEXT) && !document) {
    ho_buf_puts(words, words->n ? "\n\n" : "");
    ho_buf_put(words, text->text);
    return true;
  }
  if (out->document.p || out->data || (!ho_node_is(text, HO_KIND_TEXT) && !ho_node_is(data, HO_KIND_MAP)))
    return false;
  if (ho_node_is(text, HO_KIND_TEXT))
    out->document = text->text;
  else
    out->data = data;
  return true;
}

/* Reads the parts; false with a fault. */
static bool read_parts(ho_a2a *a, const ho_node *message, speech *out, ho_a2a_fault *fault)
{
  ho_buf words;
  bool fits = true;
  *out = (speech){.document = {0}};
  ho_buf_init(&words, 0);
  HO_EACH_CONST (part, ho_map_getz(message, "parts"))
    fits = fits && take_part(part, out, &words);
  out->text = ho_str_trim(ho_buf_move(&words, a->arena));
  if (out->data) {
    ho_buf json;
    ho_buf_init(&json, 0);
    ho_json_write(&json, out->data, 0);
    out->document = ho_buf_move(&json, a->arena);
  }
  if (!fits)
    return ho_a2a_fail(
        a, fault, HO_A2A_CONTENT,
        "a part is text, or one of them a document: text with the mediaType of YAML, JSON or Markdown, or "
        "data that is an object");
  if (!out->text.n && !out->document.p)
    return ho_a2a_fail(a, fault, HO_A2A_PARAMS, "the message says nothing; give it a part with text");
  return true;
}

/* ---- A new handoff. */

static ho_node *sub(ho_a2a *a, ho_node *to, const char *key)
{
  return ho_map_addz(to, key, ho_node_new(a->arena, HO_KIND_MAP));
}

/* Words become a package, as `send TEXT` makes it. */
static ho_str package_of(ho_a2a *a, const ho_node *metadata, ho_str to, ho_str text)
{
  ho_node *root = ho_node_new(a->arena, HO_KIND_MAP), *package = sub(a, root, "handoff");
  ho_str summary = ho_map_str(metadata, "summary");
  const ho_node *criteria = ho_map_getz(metadata, "criteria");
  ho_map_addz(sub(a, package, "from"), "agent", ho_node_text(a->arena, ho_identity_name(a->access->who)));
  ho_map_addz(sub(a, package, "to"), "agent", ho_node_text(a->arena, to));
  ho_map_addz(sub(a, package, "context"), "summary", ho_node_text(a->arena, summary.n ? summary : text));
  ho_node *wanted = sub(a, package, "expectations");
  ho_map_addz(wanted, "deliverable", ho_node_text(a->arena, text));
  if (criteria)
    ho_map_addz(wanted, "success_criteria", ho_node_copy(a->arena, criteria));
  ho_buf json;
  ho_buf_init(&json, 0);
  ho_json_write(&json, root, 0);
  return ho_buf_move(&json, a->arena);
}

/* What is wrong with a document, by its places. */
static ho_node *fail_findings(ho_a2a *a, ho_a2a_fault *fault, const ho_node *result)
{
  ho_node *list = ho_node_new(a->arena, HO_KIND_LIST);
  const ho_node *first = NULL;
  HO_EACH_CONST (finding, ho_map_getz(result, "findings")) {
    if (!ho_str_is(ho_map_str(finding, "severity"), "error"))
      continue;
    first = first ? first : finding;
    ho_node *item = ho_list_add(list, ho_node_new(a->arena, HO_KIND_MAP));
    ho_map_put(a->arena, item, "field", ho_map_str(finding, "pointer"));
    ho_map_addz(item, "description",
                ho_node_text(a->arena,
                             ho_arena_printf(a->arena, "%.*s (%.*s) %.*s", HO_ARG(ho_map_str(finding, "message")),
                                             HO_ARG(ho_map_str(finding, "rule")), HO_ARG(ho_map_str(finding, "fix")))));
  }
  (void)ho_a2a_fail(a, fault, HO_A2A_PARAMS, "nothing was sent: %.*s", HO_ARG(ho_map_str(first, "message")));
  ho_node *bad = ho_list_add(fault->data, ho_node_new(a->arena, HO_KIND_MAP));
  ho_map_addz(bad, "@type", ho_node_textz(a->arena, "type.googleapis.com/google.rpc.BadRequest"));
  ho_map_addz(bad, "fieldViolations", list);
  return NULL;
}

/* Returns the id of the handoff; "" with a fault. */
static ho_str send(ho_a2a *a, const ho_node *message, const speech *said, ho_a2a_fault *fault)
{
  const ho_node *metadata = ho_map_getz(message, "metadata");
  ho_str to = ho_map_str(metadata, "skill"), key = ho_map_str(message, "messageId"),
         type = ho_map_str(metadata, "type"), session = ho_map_str(message, "contextId");
  ho_error err = {0};
  if (!key.n)
    ho_a2a_fail(a, fault, HO_A2A_PARAMS, "the message has no messageId");
  else if (session.n && !ho_id_fits(session))
    ho_a2a_fail(a, fault, HO_A2A_PARAMS, "contextId is not a name: use at most 64 letters, digits, '.', '_' and '-'");
  else if (!to.n && !said->document.p)
    ho_a2a_fail(a, fault, HO_A2A_PARAMS,
                "metadata.skill is missing: the id of a skill of the agent card, which says who it is for");
  if (fault->code)
    return HO_EMPTY;
  ho_node *args = ho_a2a_args(a, "path", HO_STR("-"));
  ho_map_put(a->arena, args, "key", key);
  if (to.n)
    ho_map_put(a->arena, args, "to", to);
  if (type.n)
    ho_map_put(a->arena, args, "type", type);
  ho_call call = {.args = args, .arena = a->arena};
  ho_str document = said->document.p ? said->document : package_of(a, metadata, to, said->text);
  ho_code code = a->run(a, &ho_command_send, &call, session, document, &err);
  if (err.code)
    ho_a2a_fail_command(a, fault, &err);
  else if (code)
    fail_findings(a, fault, call.result);
  return code ? HO_EMPTY : ho_map_str(call.result, "id");
}

/* ---- What a task waits for. */

/* The first word of the text, or the member `decision` of the data. */
static const ho_node *decide(ho_a2a *a, ho_str gate, const speech *said, ho_a2a_fault *fault)
{
  ho_str rest = said->text, decision = ho_map_str(said->data, "decision"), note = ho_map_str(said->data, "note");
  size_t n = 0;
  while (n < rest.n && isalpha((unsigned char)rest.p[n]))
    n++;
  ho_str word = ho_str_sub(rest, 0, n);
  while (n < rest.n && strchr(" \t\r\n:,.;", rest.p[n]))
    n++;
  if (!said->data) {
    decision = word;
    note = ho_str_sub(rest, n, rest.n);
  }
  static const char *const decisions[] = {"approve", "reject", "question"};
  const char *meant = NULL;
  for (size_t i = 0; i < HO_COUNT(decisions); i++)
    if (ho_str_is_nocase(decision, decisions[i]))
      meant = decisions[i];
  if (!meant)
    return ho_a2a_fail(a, fault, HO_A2A_PARAMS, "begin with approve, reject or question");
  ho_node *args = ho_a2a_args(a, "gate", gate);
  ho_map_addz(args, "decision", ho_node_textz(a->arena, meant));
  if (note.n)
    ho_map_put(a->arena, args, "note", note);
  return ho_a2a_run(a, &ho_command_gate_decide, args, fault);
}

static ho_str reply(ho_a2a *a, const ho_node *message, const speech *said, ho_a2a_fault *fault)
{
  ho_str id = ho_map_str(message, "taskId"), context = ho_map_str(message, "contextId");
  const ho_node *done = NULL, *task = NULL;
  if (!ho_id_fits(id))
    ho_a2a_fail(a, fault, HO_A2A_NO_TASK, "taskId is not that of a task; a task has the id of its handoff");
  else
    task = ho_a2a_task(a, id, 0, false, fault);
  if (!task)
    return HO_EMPTY;
  ho_str gate = ho_node_str(ho_node_by_names(task, "metadata.gate"));
  char is = ho_a2a_state_is(ho_a2a_task_state(task));
  id = ho_map_str(task, "id");
  if (context.n && !ho_str_eq(context, ho_map_str(task, "contextId")))
    ho_a2a_fail(a, fault, HO_A2A_PARAMS, "task %.*s is not in that context; leave contextId out", HO_ARG(id));
  else if (is == 'E')
    ho_a2a_fail(a, fault, HO_A2A_UNSUPPORTED, "task %.*s has ended; send a message without taskId for another one",
                HO_ARG(id));
  else if (a->access->role == HO_ACCESS_DECIDE && gate.n)
    done = decide(a, gate, said, fault);
  else {
    ho_node *args = ho_a2a_args(a, "id", gate.n ? gate : id);
    ho_map_put(a->arena, args, "note", said->text.n ? said->text : said->document);
    done = ho_a2a_run(a, &ho_command_answer, args, fault);
  }
  return done ? id : HO_EMPTY;
}

ho_node *ho_a2a_send(ho_a2a *a, ho_node **task, ho_a2a_fault *fault)
{
  const ho_node *message = ho_map_getz(a->params, "message"), *how = ho_map_getz(a->params, "configuration");
  speech said;
  long long history = ho_a2a_history(a, how, fault);
  *fault = history < 0 ? *fault : (ho_a2a_fault){0};
  if (history < 0)
    return NULL;
  if (ho_map_getz(how, "taskPushNotificationConfig"))
    return ho_a2a_fail(a, fault, HO_A2A_NO_PUSH,
                       "this server sends no push notifications; use SubscribeToTask instead");
  if (!ho_node_is(message, HO_KIND_MAP))
    return ho_a2a_fail(a, fault, HO_A2A_PARAMS, "params.message is the message to send");
  if (!read_parts(a, message, &said, fault))
    return NULL;
  ho_str id = ho_map_getz(message, "taskId") ? reply(a, message, &said, fault) : send(a, message, &said, fault);
  *task = id.n ? ho_a2a_task(a, id, (size_t)history, true, fault) : NULL;
  if (!*task)
    return NULL;
  a->task = ho_arena_copy(a->kept, id);
  ho_node *result = ho_node_new(a->arena, HO_KIND_MAP);
  ho_map_addz(result, "task", *task);
  return result;
}
