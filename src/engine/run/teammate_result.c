/* Turns what a teammate left into an outcome. */
#include "engine/run/teammate_result.h"

#include "base/fs.h"
#include "base/grow.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "model/document/read.h"
#include "model/formats/formats.h"
#include "model/formats/response_findings.h"

#include <sys/stat.h>

enum {
  META_SIZE = 1 << 20,
  CLOCK_SLACK = 20, /* ms by which file times lag behind the clock */
  OUTPUT_TRIES = 32 /* positions in an output that may begin a document */
};

/* A result that is being read. */
typedef struct reading {
  ho_arena *arena;
  const ho_result_ask *ask;
  ho_result *out;
} reading;

static ho_str text_of(const ho_node *map, const char *key)
{
  return ho_str_trim(ho_map_str(map, key));
}

static void say(reading *r, ho_outcome outcome, ho_str why)
{
  r->out->outcome = outcome;
  r->out->why = why;
}

/* --- what it states
 * ------------------------------------------------------------------------------------------------ */

/* A path as a teammate writes it, made absolute; false if there is no such file inside the folder or the project. */
static bool find_claimed(const reading *r, ho_str path, ho_str *out)
{
  ho_str folders[] = {r->ask->folder, r->ask->root};
  for (size_t i = 0; i < HO_COUNT(folders); i++) {
    *out = ho_fs_join(r->arena, folders[i], path);
    if (path.n && out->n && (ho_paths_exists(&folders[0], *out) || ho_paths_exists(&folders[1], *out)))
      return true;
  }
  return false;
}

/* The texts of a list; for records, their field `key`. */
static size_t take_texts(reading *r, const ho_node *list, const char *key, ho_str **out)
{
  size_t count = 0;
  if (ho_node_is(list, HO_KIND_TEXT) && !ho_str_blank(list->text)) {
    *out = HO_NEW(r->arena, ho_str);
    if (*out)
      (*out)[count++] = ho_str_trim(list->text);
    return count;
  }
  *out = ho_node_is(list, HO_KIND_LIST) ? ho_arena_array(r->arena, list->count, sizeof **out) : NULL;
  if (*out)
    HO_EACH_CONST (item, list) {
      ho_str text = ho_node_is(item, HO_KIND_MAP) ? text_of(item, key) : ho_str_trim(ho_node_str(item));
      if (text.n)
        (*out)[count++] = text;
    }
  return count;
}

/* Every artifact that is named must exist, and is added to the list; otherwise the outcome says which one is
 * missing. */
static bool check_artifacts(reading *r, const ho_node *list)
{
  ho_str *claimed, full;
  size_t count = take_texts(r, list, "path", &claimed);
  for (size_t i = 0; i < count; i++) {
    if (!find_claimed(r, claimed[i], &full)) {
      say(r, HO_OUTCOME_MISSING,
          ho_arena_printf(r->arena, "it names %.*s, which does not exist or is outside the project",
                          HO_ARG(claimed[i])));
      return false;
    }
    ho_str *last = HO_PUSH(r->arena, r->out->artifacts, r->out->artifact_count);
    if (!last)
      return false;
    *last = claimed[i];
  }
  return true;
}

/* --- return metadata ----------------------------------------------------------------------------------------------- */

static ho_str why_of(reading *r, const ho_node *root, const char *otherwise)
{
  ho_str details = text_of(ho_map_getz(root, "partial_progress"), "details"), summary = text_of(root, "summary");
  if (r->out->blocker_count)
    return r->out->blockers[0];
  return details.n ? details : summary.n ? summary : ho_str_of(otherwise);
}

/* Partly done or interrupted: what matters is whether a handoff is named, not the words of the stage. */
static void judge_partial(reading *r, const ho_node *root, ho_str claimed)
{
  if (r->out->handoff.n)
    say(r, HO_OUTCOME_HANDOFF, why_of(r, root, "it handed the work over"));
  else if (claimed.n)
    say(r, HO_OUTCOME_MISSING,
        ho_arena_printf(r->arena, "it names the handoff %.*s, which does not exist or is outside the project",
                        HO_ARG(claimed)));
  else
    say(r, HO_OUTCOME_PARTIAL, why_of(r, root, "it stopped halfway and left no handoff"));
}

/* The handoff that is named: by partial_progress, else by an artifact of type handoff. */
static ho_str named_handoff(const ho_node *root)
{
  ho_str path = text_of(ho_map_getz(root, "partial_progress"), "handoff_path");
  HO_EACH_CONST (artifact, ho_map_getz(root, "artifacts"))
    if (!path.n && ho_str_is(text_of(artifact, "type"), "handoff"))
      path = text_of(artifact, "path");
  return path;
}

static void judge_meta(reading *r, const ho_node *root)
{
  ho_result *out = r->out;
  ho_str status = text_of(root, "status"), claimed = named_handoff(root), full;
  out->summary = text_of(root, "summary");
  if (!out->summary.n)
    out->summary = text_of(ho_map_getz(root, "completion_data"), "completion_summary");
  out->blocker_count = take_texts(r, ho_map_getz(root, "errors"), "message", &out->blockers);
  out->question_count = take_texts(r, ho_map_getz(root, "review_reason"), NULL, &out->questions);
  out->review = ho_node_true(ho_map_getz(root, "requires_user_review"));
  const ho_node *artifacts = ho_map_getz(root, "artifacts");
  out->type = text_of(ho_node_is(artifacts, HO_KIND_LIST) ? artifacts->first : NULL, "type");
  if (claimed.n && find_claimed(r, claimed, &full))
    out->handoff = full;
  if (ho_str_list_has("implemented|researched|planned", status)) {
    if (check_artifacts(r, ho_map_getz(root, "artifacts")))
      say(r, HO_OUTCOME_DONE, out->summary.n ? out->summary : status);
  } else if (ho_str_list_has("partial|in_progress", status)) {
    judge_partial(r, root, claimed);
  } else if (ho_str_is(status, "blocked")) {
    say(r, HO_OUTCOME_BLOCKED, why_of(r, root, "it is blocked, but does not say by what"));
  } else if (ho_str_is(status, "failed")) {
    say(r, HO_OUTCOME_FAILED, why_of(r, root, "it failed, but does not say why"));
  } else {
    say(r, HO_OUTCOME_INVALID,
        status.n ? ho_arena_printf(r->arena, "its status '%.*s' is unknown", HO_ARG(status))
                 : HO_STR("its metadata has no status"));
  }
}

/* --- responses ----------------------------------------------------------------------------------------------------- */

/* Its issues, or its questions. */
static size_t take_said(reading *r, const ho_node *list, ho_str **out)
{
  size_t count = 0;
  *out = list ? ho_arena_array(r->arena, list->count + 1, sizeof **out) : NULL;
  if (*out && ho_node_is(list, HO_KIND_TEXT))
    (*out)[count++] = ho_str_trim(list->text);
  else if (*out)
    HO_EACH_CONST (item, list) {
      ho_str text = ho_response_findings_text(item);
      if (text.n)
        (*out)[count++] = text;
    }
  return count;
}

/* In one text: whoever continues has to know each of them. */
static ho_str together(reading *r, const ho_str *texts, size_t count)
{
  ho_str out = texts[0];
  for (size_t i = 1; i < count; i++)
    out = ho_arena_printf(r->arena, "%.*s; %.*s", HO_ARG(out), HO_ARG(texts[i]));
  return out;
}

/* Does it answer what was asked? One that does not say what it is about is judged by the rules of its format. */
static bool answers(reading *r, const ho_node *root, const char *key, ho_str asked)
{
  ho_str said = ho_id_plain(text_of(root, key));
  if (!asked.n || !said.n || ho_str_eq(said, ho_id_plain(asked)))
    return true;
  say(r, HO_OUTCOME_INVALID,
      ho_arena_printf(r->arena, "its response has the %s '%.*s', but the request has '%.*s'", key,
                      HO_ARG(ho_str_sub(said, 0, 80)), HO_ARG(asked)));
  return false;
}

static void judge_response(reading *r, const ho_node *root)
{
  ho_result *out = r->out;
  const ho_node *findings = ho_map_getz(root, "findings");
  ho_str decision = text_of(root, "decision"), status = text_of(root, "status");
  if (!answers(r, root, "task_id", r->ask->task) || !answers(r, root, "phase", r->ask->phase))
    return;
  out->answered = true;
  out->type = text_of(root, "phase");
  out->findings = findings;
  out->obstacle = ho_response_findings_obstacle(findings) != NULL;
  out->summary = text_of(root, "context_summary");
  out->blocker_count = take_said(r, ho_response_findings_issues(root), &out->blockers);
  ho_str why = out->blocker_count ? out->blockers[0] : out->summary;
  if (ho_str_is(decision, "STOP")) {
    say(r, HO_OUTCOME_STOP, why);
  } else if (ho_str_is(decision, "CLARIFY")) {
    out->question_count = take_said(r, ho_response_findings_questions(root), &out->questions);
    say(r, HO_OUTCOME_CLARIFY, out->question_count ? together(r, out->questions, out->question_count) : why);
  } else if (ho_str_is(status, "blocked")) {
    say(r, HO_OUTCOME_BLOCKED, why);
  } else if (ho_str_is(decision, "PROCEED")) {
    if (check_artifacts(r, ho_map_getz(findings, "files_created")) &&
        check_artifacts(r, ho_map_getz(findings, "files_modified")))
      say(r, HO_OUTCOME_DONE, out->summary);
  } else {
    say(r, HO_OUTCOME_INVALID, HO_STR("its response has no decision: PROCEED, STOP or CLARIFY"));
  }
}

/* --- finding the document ------------------------------------------------------------------------------------------ */

/* Was the file written after the teammate began? On file systems without fractions of a second, seconds are
 * compared. */
static bool is_fresh(const char *path, int64_t started)
{
  struct stat stat_buf;
  if (ho_fs_stat(path, &stat_buf) != 0)
    return false;
  int64_t changed = (int64_t)stat_buf.st_mtim.tv_sec * 1000 + stat_buf.st_mtim.tv_nsec / 1000000;
  int64_t least = stat_buf.st_mtim.tv_nsec ? started - CLOCK_SLACK : started / 1000 * 1000;
  return changed >= least;
}

static int64_t tokens_in(const ho_node *root)
{
  long long tokens = 0;
  if (!ho_node_to_int(ho_map_getz(root, "tokens_used"), &tokens))
    (void)ho_node_to_int(ho_map_getz(ho_map_getz(root, "metadata"), "tokens_used"), &tokens);
  return tokens > 0 ? (int64_t)tokens : 0;
}

/* Reads a text as metadata or response, according to its content: any of them may be at the agreed path. What cannot
 * be recognised there was meant as metadata. */
static ho_code read_text(reading *r, ho_str text, bool placed, ho_doc **out, ho_error *err)
{
  const ho_format *meta = &ho_format_meta, *response = &ho_format_response;
  ho_doc *doc = HO_NEW(r->arena, ho_doc);
  ho_code code = doc ? ho_doc_read(doc, r->arena, HO_STR("result.json"), text, NULL, err) : ho_fail_memory(err);
  if (!code && placed && doc->format != meta && doc->format != response)
    code = ho_doc_read(doc, r->arena, HO_STR("result.json"), text, meta, err);
  *out = doc;
  return code;
}

static bool is_session(ho_str named, ho_str session)
{
  size_t before = named.n > session.n ? named.n - session.n : 0;
  return ho_str_eq(ho_str_sub(named, before, named.n), session) &&
         (!before || (ho_str_starts(named, "sess_") && named.p[before - 1] == '_'));
}

/* Judges a text; false if it is neither metadata nor a response (or belongs to another session, if one is given). A
 * text that cannot be read is invalid. */
static ho_code judge_text(reading *r, ho_str text, bool placed, ho_str session, bool *judged, ho_error *err)
{
  ho_error why = {0};
  ho_doc *doc;
  ho_code code = read_text(r, text, placed, &doc, &why);
  *judged = true;
  if (code == HO_MEMORY)
    return ho_fail_memory(err);
  if (code) {
    say(r, HO_OUTCOME_INVALID,
        ho_arena_printf(r->arena, "what it left cannot be read: line %u: %s", why.line, why.message));
    return HO_OK;
  }
  ho_str named = text_of(ho_map_getz(doc->root, "metadata"), "session_id");
  if (!named.n)
    named = text_of(doc->root, "session_id");
  if (session.n && !is_session(named, session))
    *judged = false;
  else if (doc->format == &ho_format_meta)
    judge_meta(r, doc->root);
  else if (doc->format == &ho_format_response)
    judge_response(r, doc->root);
  else
    *judged = false;
  if (*judged) {
    r->out->tokens = tokens_in(doc->root);
    r->out->response = r->out->answered ? text : HO_EMPTY;
  }
  return HO_OK;
}

/* The file at the agreed path is the teammate's result, whatever it contains; the one at the fallback path (session
 * is not "") only if it names the session. */
static ho_code judge_file(reading *r, ho_str path, ho_str session, bool *judged, ho_error *err)
{
  ho_str text;
  ho_error why = {0};
  *judged = false;
  if (!path.n || !is_fresh(path.p, r->ask->started))
    return HO_OK;
  ho_code code = ho_fs_read(r->arena, path.p, META_SIZE, &text, &why);
  if (code == HO_MEMORY)
    return ho_fail_memory(err);
  if (!code) {
    code = judge_text(r, text, true, session, judged, err);
  } else if (!session.n) {
    say(r, HO_OUTCOME_INVALID, ho_arena_copy(r->arena, ho_str_of(why.message)));
    *judged = true;
    code = HO_OK;
  }
  if (*judged)
    r->out->source = path;
  return code == HO_MEMORY ? code : HO_OK;
}

/* The last JSON object in an output, alone or in a fence: it begins at the start of a line and extends to the end. */
static ho_code judge_output(reading *r, ho_str text, bool *judged, ho_error *err)
{
  ho_code code = HO_OK;
  size_t tries = 0;
  text = ho_str_trim(text);
  if (ho_str_ends(text, "```"))
    text = ho_str_trim(ho_str_sub(text, 0, text.n - 3));
  *judged = false;
  if (!ho_str_ends(text, "}"))
    return HO_OK;
  for (size_t at = text.n; at-- > 0 && tries < OUTPUT_TRIES && !*judged && !code;) {
    if (text.p[at] != '{' || (at && text.p[at - 1] != '\n'))
      continue;
    tries++;
    code = judge_text(r, ho_str_sub(text, at, text.n), false, HO_EMPTY, judged, err);
    if (r->out->outcome == HO_OUTCOME_INVALID)
      *judged = false;
  }
  if (*judged)
    r->out->source = HO_STR("output");
  else
    r->out->outcome = HO_OUTCOME_NOTHING;
  return code;
}

static void judge_nothing(reading *r, const ho_adapter_said *said)
{
  bool stale = ho_fs_exists(r->ask->meta.p);
  const char *why = stale          ? "it left nothing new: the metadata is from before its start"
                    : said->failed ? "its harness reports that it gave up"
                                   : "it left neither metadata nor a response";
  r->out->trouble = said->trouble;
  r->out->spoke = said->tokens || said->context || said->acted;
  r->out->error = said->error;
  if (said->error.n)
    say(r, HO_OUTCOME_NOTHING,
        ho_arena_printf(r->arena, "%s: %.*s", said->trouble ? ho_trouble_text(said->trouble) : why,
                        HO_ARG(said->error)));
  else
    say(r, HO_OUTCOME_NOTHING, ho_str_of(why));
}

ho_code ho_result_read(ho_arena *arena, const ho_result_ask *ask, ho_result *out, ho_error *err)
{
  reading r = {arena, ask, out};
  ho_adapter_said said = {.message = HO_EMPTY};
  bool judged = false;
  *out = (ho_result){
      .outcome = HO_OUTCOME_NOTHING, .why = HO_EMPTY, .source = HO_EMPTY, .handoff = HO_EMPTY, .summary = HO_EMPTY};
  ho_code code = ask->log ? ho_adapter_read(arena, ask->adapter, ask->log, HO_ADAPTER_LOG, &said, err) : HO_OK;
  if (!code)
    code = judge_file(&r, ask->meta, HO_EMPTY, &judged, err);
  if (!code && !judged && ask->session.n)
    code = judge_file(&r, ask->spare, ask->session, &judged, err);
  if (!code && !judged)
    code = judge_output(&r, said.message, &judged, err);
  if (code)
    return code;
  if (!judged)
    judge_nothing(&r, &said);
  out->tokens = out->tokens ? out->tokens : said.tokens;
  out->context = said.context;
  out->harness_session = said.session;
  out->model = said.model;
  out->denied = said.denied;
  return ho_arena_code(arena, err);
}
