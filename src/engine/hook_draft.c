/* Before a compaction: what is known of the session's work becomes a draft, every claim asserted. */
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/utf8.h"
#include "doc/json.h"
#include "engine/hook.h"
#include "engine/intake.h"
#include "engine/world.h"
#include "model/write.h"

enum { TAIL = 256 << 10, WORDS = 3, WORDS_SIZE = 1200, FILES = 12, RECENT_MS = 10 * 60 * 1000 };

/* The texts of one message of the agent, in the form of any of the harnesses, or "". */
static ho_str words_of(ho_hook *hook, const ho_node *entry)
{
  static const char *const contents[] = {"/message/content", "/payload/content", "/content"};
  const ho_node *payload = ho_map_getz(entry, "payload"), *content = NULL;
  ho_str type = ho_node_str(ho_map_getz(entry, "type")), role = ho_node_str(ho_map_getz(payload, "role"));
  ho_buf out;
  if (!ho_str_is(type, "assistant") && !ho_str_is(type, "gemini") && !ho_str_is(role, "assistant"))
    return HO_EMPTY;
  for (size_t i = 0; !content && i < HO_COUNT(contents); i++)
    content = ho_node_at(entry, ho_str_of(contents[i]));
  if (ho_node_is(content, HO_KIND_TEXT))
    return content->text;
  ho_buf_init(&out, 0);
  HO_EACH_CONST (part, content) {
    ho_str text = ho_node_str(ho_map_getz(part, "text"));
    if (out.n && text.n)
      ho_buf_putc(&out, '\n');
    ho_buf_put(&out, text);
  }
  return ho_buf_move(&out, hook->arena);
}

/* The end of the transcript, from the beginning of a line. */
static ho_str tail_of(ho_hook *hook)
{
  int fd = hook->transcript.n ? open(hook->transcript.p, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (fd < 0)
    return HO_EMPTY;
  off_t end = lseek(fd, 0, SEEK_END), from = end > TAIL ? end - TAIL : 0;
  char *bytes = end > 0 ? ho_arena_alloc(hook->arena, TAIL) : NULL;
  ssize_t n = bytes ? pread(fd, bytes, TAIL, from) : 0;
  close(fd);
  ho_str text = {bytes ? bytes : "", n > 0 ? (size_t)n : 0};
  size_t line = from ? ho_str_find_char(text, '\n') : 0;
  return line == HO_NONE ? HO_EMPTY : ho_str_sub(text, from ? line + 1 : 0, text.n);
}

ho_node *ho_hook_last_words(ho_hook *hook, size_t most)
{
  ho_node *list = ho_node_new(hook->arena, HO_KIND_LIST);
  ho_str rest = tail_of(hook);
  while (rest.n && list && list->count < most) {
    size_t begin = rest.n;
    while (begin > 0 && rest.p[begin - 1] != '\n')
      begin--;
    ho_str line = ho_str_sub(rest, begin, rest.n);
    rest = ho_str_sub(rest, 0, begin ? begin - 1 : 0);
    ho_source source;
    ho_node *entry;
    ho_error none = {0};
    if (ho_str_blank(line) || ho_source_init(&source, hook->arena, HO_STR("transcript"), line, &none) ||
        ho_json_read(&source, 0, hook->arena, NULL, &entry, &none))
      continue;
    ho_str words = ho_str_trim(words_of(hook, entry));
    if (words.n)
      ho_list_add(list, ho_node_text(hook->arena, ho_prompt_clean(hook->arena, words, WORDS_SIZE, false)));
  }
  return list;
}

static void add_fact(ho_hook *hook, ho_node *facts, ho_str fact)
{
  ho_list_add(facts, ho_node_text(hook->arena, fact));
}

static void add_progress(ho_hook *hook, ho_node *facts)
{
  ho_phase phase;
  ho_doc doc;
  if (!ho_hook_progress(hook, &phase, &doc))
    return;
  HO_EACH_CONST (item, ho_map_getz(doc.root, "objectives"))
    add_fact(
        hook, facts,
        ho_arena_printf(
            hook->arena, "Objective %.*s (%.*s): %.*s%s%.*s", HO_ARG(ho_progress_id(doc.root, item, hook->arena)),
            HO_ARG(ho_node_str(ho_map_getz(item, "status"))), HO_ARG(ho_node_str(ho_map_getz(item, "description"))),
            ho_node_empty(ho_map_getz(item, "note")) ? "" : " — ", HO_ARG(ho_node_str(ho_map_getz(item, "note")))));
  HO_EACH_CONST (item, ho_map_getz(doc.root, "approaches_tried"))
    add_fact(hook, facts,
             ho_arena_printf(hook->arena, "Tried: %.*s: %.*s", HO_ARG(ho_node_str(ho_map_getz(item, "approach"))),
                             HO_ARG(ho_node_str(ho_map_getz(item, "reason")))));
}

static void add_seen(ho_hook *hook, const ho_hook_measure *m, ho_node *facts)
{
  static const char *const trees[] = {"unknown", "clean", "changed"};
  size_t files = 0;
  ho_str head = ho_world_head(hook->arena, hook->root);
  if (head.n)
    add_fact(hook, facts,
             ho_arena_printf(hook->arena, "git: commit %.*s, tracked files %s", HO_ARG(head),
                             trees[ho_world_tree(hook->arena, hook->root)]));
  for (size_t i = 0; i < HO_READS && files < FILES; i++)
    if (m->scan.reads[i].key && m->scan.reads[i].path[0]) {
      add_fact(hook, facts, ho_arena_printf(hook->arena, "Read: %s", m->scan.reads[i].path));
      files++;
    }
  ho_node *words = ho_hook_last_words(hook, WORDS);
  HO_EACH_CONST (said, words)
    add_fact(hook, facts, ho_arena_printf(hook->arena, "The agent said: %.*s", HO_ARG(said->text)));
}

static ho_node *add_map(ho_arena *arena, ho_node *map, const char *key)
{
  return ho_map_addz(map, key, ho_node_new(arena, HO_KIND_MAP));
}

typedef struct drafting {
  ho_hook *hook;
  ho_ledger *ledger;
  ho_node *facts;
  ho_str *id;
} drafting;

static ho_node *package(const drafting *d, ho_str id, ho_str agent)
{
  ho_arena *a = d->hook->arena;
  ho_node *root = ho_node_new(a, HO_KIND_MAP);
  ho_map_addz(root, "id", ho_node_text(a, id));
  ho_map_addz(root, "timestamp", ho_node_text(a, ho_time_str(a, ho_ledger_now(d->ledger))));
  ho_map_addz(root, "type", ho_node_textz(a, "sequential"));
  ho_map_addz(add_map(a, root, "from"), "agent", ho_node_text(a, agent));
  ho_node *to = add_map(a, root, "to");
  ho_map_addz(to, "agent", ho_node_text(a, agent));
  ho_map_addz(to, "reason", ho_node_textz(a, "The context is about to be compacted"));
  ho_node *context = add_map(a, root, "context");
  ho_map_addz(context, "summary",
              ho_node_text(a, ho_arena_printf(a,
                                              "Drafted by a hook from what is known of session %.*s before its "
                                              "context was compacted; nobody has confirmed it",
                                              HO_ARG(d->ledger->session))));
  ho_map_addz(context, "key_info", d->facts);
  ho_map_addz(add_map(a, root, "expectations"), "deliverable",
              ho_node_text(a, d->hook->task.n ? ho_arena_printf(a, "What task %.*s asks for", HO_ARG(d->hook->task))
                                              : HO_STR("What the session was asked for")));
  return root;
}

static ho_code add_draft(drafting *d, ho_error *err)
{
  ho_hook *hook = d->hook;
  ho_ledger *l = d->ledger;
  ho_buf text;
  ho_str agent = l->agent.n ? l->agent : ho_arena_copy(hook->arena, hook->harness);
  ho_handoff row = {.kind = HO_STR("package"),
                    .type = HO_STR("sequential"),
                    .state = ho_str_of(ho_state_name(HO_STATE_DRAFT)),
                    .sender = agent,
                    .receiver = ho_agent_name(agent),
                    .task = ho_id_plain(hook->task),
                    .phase = ho_id_plain(hook->phase),
                    .session = l->session,
                    .created = ho_ledger_now(l)};
  row.updated = row.created;
  ho_event event = {.at = row.created, .actor = l->actor, .kind = ho_str_of(ho_step_name(HO_STEP_DRAFTED))};
  ho_code code = ho_intake_id(l, hook->arena, &row.id, err);
  if (code)
    return code;
  ho_buf_init(&text, 0);
  code = ho_doc_write(ho_format_named(HO_STR("package")), package(d, row.id, agent), HO_YAML, &text, err);
  if (!code)
    code = ho_buf_code(&text, err);
  if (!code)
    code = ho_handoff_add(l->store, &row, ho_ledger_clean(l, hook->arena, ho_buf_str(&text)), &event, hook->arena, err);
  ho_buf_free(&text);
  *d->id = code ? HO_EMPTY : row.id;
  return code;
}

/* A compaction may be announced several times: the first one drafts. */
static ho_code work(ho_store *store, void *data, ho_error *err)
{
  drafting *d = data;
  ho_handoff_list list;
  ho_filter filter = {.session = d->ledger->session, .since = ho_ledger_now(d->ledger) - RECENT_MS, .limit = 1};
  *d->id = HO_EMPTY;
  ho_code code = ho_handoff_select(store, &filter, d->hook->arena, &list, err);
  return code || list.count ? code : add_draft(d, err);
}

ho_code ho_hook_draft(ho_hook *hook, const ho_hook_measure *measure, ho_str *id, ho_error *err)
{
  ho_ledger ledger;
  drafting d = {.hook = hook, .ledger = &ledger, .id = id, .facts = ho_node_new(hook->arena, HO_KIND_LIST)};
  ho_code code = ho_hook_ledger(hook, true, &ledger, err);
  if (code)
    return code;
  add_progress(hook, d.facts);
  add_seen(hook, measure, d.facts);
  code = ho_ledger_write(&ledger, work, &d, err);
  ho_ledger_close(&ledger);
  return code;
}
