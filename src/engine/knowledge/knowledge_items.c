/* What a document says, by the role of its fields. */
#include "base/grow.h"
#include "base/limits.h"
#include "base/seen.h"
#include "base/utf8.h"
#include "doc/keyset.h"
#include "engine/knowledge/knowledge_parts.h"
#include "engine/project/identity.h"
#include "model/convert/convert_slots.h"
#include "model/formats/formats.h"
#include "model/formats/place.h"
#include "model/formats/response_findings.h"
#include "model/syntax.h"
#include "model/wording.h"

enum { LONGEST_TEXT = 2000, MOST_TAGS = 32 };

typedef struct taking {
  const ho_doc *doc;
  ho_str root;
  ho_arena *arena;
  ho_items *out;
} taking;

static const struct {
  ho_role role;
  ho_known_kind kind;
  const char *name;
} kinds[] = {{HO_ROLE_PATTERNS, HO_KNOWN_PATTERN, "patterns"},
             {HO_ROLE_WARNINGS, HO_KNOWN_GOTCHA, "warnings"},
             {HO_ROLE_DECISIONS, HO_KNOWN_DECISION, "decisions"},
             {HO_ROLE_DEAD_ENDS, HO_KNOWN_DEAD_END, "dead_ends"},
             {HO_ROLE_QUESTIONS, HO_KNOWN_QUESTION, "questions"},
             {HO_ROLE_BLOCKERS, HO_KNOWN_BLOCKER, "blockers"},
             {HO_ROLE_FACTS, HO_KNOWN_FACT, "facts"},
             {HO_ROLE_NEXT, HO_KNOWN_STEP, "next"},
             {HO_ROLE_STATE, HO_KNOWN_FILE, "state"},
             {HO_ROLE_REFERENCES, HO_KNOWN_FILE, "references"}};

/* "None", "n/a", "[your text]": states that there is nothing. */
static bool says_nothing(ho_str text)
{
  text = ho_str_trim(text);
  if (text.n > 1 && text.p[0] == '[' && ho_str_find_char(text, ']') == text.n - 1)
    return true; /* "[what was done]": a template that nobody filled in */
  while (text.n && strchr(".-_*()[] ", text.p[text.n - 1]))
    text = ho_str_sub(text, 0, text.n - 1);
  while (text.n && strchr("-_*()[] ", text.p[0]))
    text = ho_str_sub(text, 1, text.n);
  return !text.n ||
         ho_str_list_has_nocase("none|n/a|na|nothing|none recorded|none yet|null|tbd|todo|unknown|none known|"
                                "none discovered|none found|no blockers|no open questions",
                                text);
}

static ho_str without_hop(ho_str text)
{
  size_t hop = ho_str_find(text, HO_KNOWLEDGE_HOP), at = hop == HO_NONE ? text.n : hop + strlen(HO_KNOWLEDGE_HOP);
  while (at < text.n && isdigit((unsigned char)text.p[at]))
    at++;
  return hop != HO_NONE && at + 1 == text.n && text.p[at] == ')' ? ho_str_sub(text, 0, hop) : text;
}

static ho_str shortened(taking *t, ho_str text)
{
  text = without_hop(ho_str_trim(text));
  if (text.n <= LONGEST_TEXT)
    return text;
  return ho_arena_printf(t->arena, "%.*s…", HO_ARG(ho_str_sub(text, 0, ho_utf8_floor(text, LONGEST_TEXT - 4))));
}

static unsigned line_of(const taking *t, const ho_node *node, const ho_node *around)
{
  const ho_node *each[] = {node, node ? node->first : NULL, around};
  for (size_t i = 0; i < HO_COUNT(each); i++)
    if (each[i] && each[i]->begin != HO_NOWHERE)
      return ho_source_line_at(&t->doc->source, each[i]->begin);
  return 1;
}

static ho_item *add(taking *t, ho_known_kind kind, const char *role, ho_str text, unsigned line)
{
  ho_items *out = t->out;
  if (says_nothing(text))
    return NULL;
  if (out->count >= HO_LIMIT_LEARNED) {
    out->left_out++;
    return NULL;
  }
  ho_item *item = HO_PUSH(t->arena, out->rows, out->count);
  if (!item)
    return NULL;
  *item = (ho_item){
      .kind = kind, .role = role, .text = shortened(t, text), .whole = without_hop(ho_str_trim(text)), .line = line};
  if (kind == HO_KNOWN_GOTCHA)
    item->severity = HO_KNOWN_MEDIUM;
  else if (kind == HO_KNOWN_BLOCKER)
    item->severity = HO_KNOWN_HIGH;
  return item;
}

static void add_path(taking *t, ho_known_kind kind, const char *role, ho_str path, ho_str note, unsigned line)
{
  path = ho_knowledge_path(t->arena, t->root, path);
  ho_item *item = path.n ? add(t, kind, role, path, line) : NULL;
  if (item)
    item->note = shortened(t, note);
}

static int64_t severity_of(ho_str word, int64_t otherwise)
{
  if (ho_str_list_has_nocase("high|critical|blocker|hard|severe", word))
    return HO_KNOWN_HIGH;
  if (ho_str_list_has_nocase("medium|warning|important|moderate|med|normal", word))
    return HO_KNOWN_MEDIUM;
  if (ho_str_list_has_nocase("low|info|minor|soft|note", word))
    return HO_KNOWN_LOW;
  return otherwise;
}

static void add_tag(taking *t, ho_item *item, ho_str text)
{
  ho_str tag = ho_knowledge_tag(t->arena, text), rest = item->tags, each;
  size_t count = 0;
  while (rest.n && ho_str_next(&rest, ' ', &each)) {
    if (ho_str_eq(each, tag))
      return;
    count++;
  }
  if (tag.n && count < MOST_TAGS)
    item->tags = item->tags.n ? ho_arena_printf(t->arena, "%.*s %.*s", HO_ARG(item->tags), HO_ARG(tag)) : tag;
}

static void take_tags(taking *t, ho_item *item, const ho_node *value)
{
  ho_str rest = ho_node_str(value), part;
  HO_EACH_CONST (tag, value)
    add_tag(t, item, ho_node_str(tag));
  while (rest.n && ho_str_next(&rest, ',', &part))
    add_tag(t, item, part);
}

/* The first path that a text names, or the whole text if the field is a path. */
static ho_str path_in(taking *t, ho_str text, bool whole)
{
  ho_str path = whole ? ho_knowledge_path(t->arena, t->root, text) : HO_EMPTY, rest = text;
  if (!path.n && ho_wording_path(&rest, &path))
    path = ho_knowledge_path(t->arena, t->root, path);
  return path;
}

/* Does one of the key's words ("decided_by", "decided by", "decidedBy") say who said it, how that is known, or what it
 * answers? */
static bool is_mark(taking *t, ho_str key)
{
  bool fillers;
  key = ho_seen_text(t->arena, key, "", &fillers);
  for (size_t at = 0, end; at<key.n; at = end> at ? end : at + 1) {
    for (end = at; ho_str_is_word(key, end); end++)
      if (end > at && isupper((unsigned char)key.p[end]) && islower((unsigned char)key.p[end - 1]))
        break;
    if (ho_str_list_has_nocase(HO_DETAIL_MARKS, ho_str_sub(key, at, end)))
      return true;
  }
  return false;
}

/* The program knows it of decisions at gates, and of answers; a document only states it. */
static ho_str detail_key(taking *t, const ho_item *item, ho_str key)
{
  bool states = (item->kind == HO_KNOWN_DECISION || ho_known_asks(item->kind)) && is_mark(t, key);
  return states ? ho_arena_printf(t->arena, HO_DETAIL_STATED "%.*s", HO_ARG(ho_str_trim(key))) : key;
}

static void put_text(taking *t, ho_item *item, ho_str key, ho_str text)
{
  if (says_nothing(text))
    return;
  if (!item->detail)
    item->detail = ho_node_new(t->arena, HO_KIND_MAP);
  ho_map_add(item->detail, key, ho_node_text(t->arena, shortened(t, text)));
}

static void put_detail(taking *t, ho_item *item, const ho_node *field)
{
  put_text(t, item, detail_key(t, item, field->key), ho_node_str(field));
}

/* An id of the author's own, unless it is one that only the ledger gives, to a handoff, a gate, or what a person decides. */
static void take_id(taking *t, ho_item *item, const ho_node *field)
{
  ho_str id = ho_node_str(field);
  if (ho_id_of_ledger(id) || ho_str_starts(id, HO_KNOWN_GATE_ID "G-")) {
    put_text(t, item, HO_STR(HO_DETAIL_STATED "id"), id);
    return;
  }
  item->id = id;
  item->own_id = field->begin != HO_NOWHERE;
}

static bool is_true(const ho_node *node)
{
  return ho_node_true(node) || ho_str_list_has_nocase("true|yes", ho_node_str(node));
}

/* What the other fields of a record say about the item. */
static void take_field(taking *t, ho_item *item, const ho_node *field)
{
  ho_str key = field->key, text = ho_node_str(field);
  if (ho_str_is(key, "id")) {
    take_id(t, item, field);
  } else if (ho_str_list_has("severity|priority", key)) {
    item->severity = severity_of(text, item->severity);
  } else if (ho_str_list_has("applies_to|tags|category", key)) {
    take_tags(t, item, field);
  } else if (ho_str_list_has("blocking_tasks", key)) {
    item->tasks = field;
  } else if (ho_str_list_has("depends_on", key)) {
    item->needs = field;
  } else if (ho_str_is(key, "blocking")) {
    item->severity = is_true(field) ? HO_KNOWN_HIGH : item->severity;
  } else if (ho_str_list_has("resolved|answer|answered_by", key) ||
             (ho_str_is(key, "status") && ho_str_list_has_nocase("resolved|closed|answered|done|fixed", text))) {
    item->resolved = ho_str_is(key, "status") || is_true(field) || (text.n && !ho_str_is_nocase(text, "false"));
    put_detail(t, item, field);
  } else {
    if (!item->place.n && ho_str_list_has("location|file|path|source_artifact|discovered_in", key))
      item->place = path_in(t, text, !ho_str_is(key, "discovered_in"));
    put_detail(t, item, field);
  }
}

static void take_record(taking *t, const ho_slot *slot, ho_known_kind kind, const char *role, const ho_node *node)
{
  const ho_field *main_field = ho_slots_main(slot->field->record);
  ho_str text = ho_slots_main_text(slot->field->record, node);
  bool pending = kind == HO_KNOWN_DECISION && ho_str_is_nocase(ho_map_str(node, "id"), "pending");
  if (pending) { /* a choice that somebody else has to make */
    kind = HO_KNOWN_QUESTION;
    role = "questions";
  }
  ho_item *item = main_field ? add(t, kind, role, text, line_of(t, node, NULL)) : NULL;
  if (!item)
    return;
  HO_EACH_CONST (field, node)
    if (!ho_str_is(field->key, main_field->name) && !(pending && ho_str_is(field->key, "id")))
      take_field(t, item, field);
}

/* The text beside a path: what the file is for. */
static ho_str purpose_of(const ho_node *node)
{
  static const char *const names[] = {"reason", "purpose", "description", "detail", "changes", "summary"};
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    ho_str text = ho_map_str(node, names[i]);
    if (text.n)
      return text;
  }
  return HO_EMPTY;
}

static ho_str path_of(const ho_node *node)
{
  ho_str path = ho_map_str(node, "path");
  return path.n ? path : node->kind == HO_KIND_MAP ? ho_map_str(node, "file") : ho_node_str(node);
}

/* Objectives and phases: what is blocked, and the files they name. */
static void take_work(taking *t, const ho_node *node)
{
  ho_str status = ho_map_str(node, "status");
  ho_str about = ho_map_str(node, "description"), note = ho_map_str(node, "note");
  if (ho_str_list_has_nocase("blocked", status) && about.n) {
    ho_item *item = add(t, HO_KNOWN_BLOCKER, "blockers", about, line_of(t, node, NULL));
    if (item && note.n)
      put_detail(t, item, ho_map_getz(node, "note"));
  }
  HO_EACH_CONST (field, node)
    if (ho_str_list_has("files|files_touched", field->key))
      HO_EACH_CONST (file, field)
        add_path(t, HO_KNOWN_FILE, "state", path_in(t, path_of(file), true), HO_EMPTY, line_of(t, file, node));
}

/* In which role a document names a file of its work: "created 1-150", "modify 45-67". */
static const char *change_of(taking *t, const ho_slot *slot, const ho_node *node, const char *otherwise)
{
  bool created = strcmp(slot->name, "files_created") == 0;
  ho_str type = ho_map_str(node, "change_type"), lines = ho_map_str(node, "lines");
  if (!created && strcmp(slot->name, "files_modified") != 0)
    return otherwise;
  type = created ? HO_STR(HO_ROLE_NAME_CREATED) : type.n ? type : HO_STR("modify");
  const char *role = ho_arena_printf(t->arena, lines.n ? "%.*s %.*s" : "%.*s%.*s", HO_ARG(type), HO_ARG(lines)).p;
  return role ? role : otherwise;
}

static void take_value(taking *t, const ho_slot *slot, size_t k, const ho_node *node, const ho_node *around)
{
  ho_known_kind kind = kinds[k].kind;
  const char *role = kinds[k].name;
  bool paths = kind == HO_KNOWN_FILE;
  if (kinds[k].role == HO_ROLE_REFERENCES && t->doc->format == &ho_format_artifact)
    role = "if_stuck"; /* to be read only if stuck, so not a reading list */
  if (paths && strcmp(slot->name, "artifacts") == 0)
    kind = HO_KNOWN_ARTIFACT;
  if (paths && strcmp(slot->kin, "path") == 0)
    add_path(t, kind, change_of(t, slot, node, role), path_of(node), purpose_of(node), line_of(t, node, around));
  else if (paths && node->kind == HO_KIND_MAP)
    take_work(t, node);
  else if (!paths && node->kind == HO_KIND_MAP)
    take_record(t, slot, kind, role, node);
  else if (!paths && node->kind == HO_KIND_TEXT && slot->field->type != HO_T_ID)
    add(t, kind, role, node->text, line_of(t, node, around));
}

static void take_slot(taking *t, const ho_slot *slot)
{
  const ho_node *value = ho_slot_get(slot, t->doc->root);
  ho_role role = ho_slot_role(t->doc->format, slot, t->doc->root);
  for (size_t k = 0; value && k < HO_COUNT(kinds); k++) {
    if (kinds[k].role != role)
      continue;
    if (value->kind != HO_KIND_LIST)
      take_value(t, slot, k, value, NULL);
    else
      HO_EACH_CONST (item, value)
        take_value(t, slot, k, item, value);
  }
}

/* ---- What the document is about */

static ho_str outcome_of(ho_str word)
{
  if (ho_str_list_has_nocase("completed|complete|done|implemented|success|succeeded", word))
    return HO_STR("completed");
  if (ho_str_list_has_nocase("partial|in_progress|in progress|incomplete|implementing", word))
    return HO_STR("partial");
  if (ho_str_list_has_nocase("failed|failure", word))
    return HO_STR("failed");
  return ho_str_list_has_nocase("blocked", word) ? HO_STR("blocked") : HO_EMPTY;
}

static void take_parties(taking *t, const ho_node *value)
{
  ho_node *list = t->out->parties;
  if (ho_node_is(value, HO_KIND_TEXT))
    ho_list_add(list, ho_node_text(t->arena, value->text));
  HO_EACH_CONST (item, value)
    if (ho_node_is(item, HO_KIND_TEXT))
      ho_list_add(list, ho_node_text(t->arena, item->text));
}

static void take_about(taking *t, const ho_slot *slot)
{
  const ho_node *value = ho_slot_get(slot, t->doc->root);
  ho_str text = ho_str_trim(ho_node_str(value));
  if (slot->role == HO_ROLE_PARTIES)
    take_parties(t, value);
  if (!text.n)
    return;
  if (slot->role == HO_ROLE_OUTCOME && ho_str_list_has("outcome|status", ho_str_of(slot->name)) && !t->out->outcome.n)
    t->out->outcome = outcome_of(text);
  if (slot->role != HO_ROLE_TASK)
    return;
  ho_str *places[] = {&t->out->task, &t->out->phase, &t->out->task_name};
  static const char *const kins[] = {"task", "phase", "name"};
  for (size_t i = 0; i < HO_COUNT(kins); i++)
    if (strcmp(slot->kin, kins[i]) == 0 && strcmp(slot->name, "phase_name") != 0 && !places[i]->n)
      *places[i] = text;
}

/* ---- "| **Depends On** | task-001, task-002 |" and "- **Dependencies**: 4" in a task file's metadata, or a list below */

/* What follows the label at the beginning of a line or cell; false if there is none. "Dependencies" may begin a sentence, so
 * a sign has to follow it. */
static bool depends_label(ho_str cell, ho_str *ids)
{
  static const char *const labels[] = {"Depends on", "depends_on", "Dependencies"};
  size_t at = 0, label = 0;
  while (at < cell.n && strchr("-+*|_` \t", cell.p[at]))
    at++;
  cell = ho_str_sub(cell, at, cell.n);
  while (label < HO_COUNT(labels) && !ho_str_starts_nocase(cell, labels[label]))
    label++;
  if (label == HO_COUNT(labels))
    return false;
  *ids = ho_str_sub(cell, strlen(labels[label]), cell.n);
  for (at = 0; at < ids->n && strchr("*_` \t", ids->p[at]);)
    at++;
  return label + 1 < HO_COUNT(labels) || (at < ids->n && strchr(":|", ids->p[at]));
}

static bool line_depends(ho_str line, ho_str *ids)
{
  bool found = depends_label(line, ids);
  for (size_t at = 0; !found && at < line.n; at++)
    found = line.p[at] == '|' && depends_label(ho_str_sub(line, at, line.n), ids);
  return found;
}

/* Adds the ids in a text, at most `most`; returns how many words there were. */
static size_t add_depends(taking *t, ho_str ids, size_t most)
{
  size_t count = 0;
  for (size_t i = 0, start = 0; i <= ids.n && count < most; i++)
    if (i == ids.n || strchr(" ,|;:*`[]()\t\r", ids.p[i])) {
      ho_str part = ho_str_sub(ids, start, i);
      start = i + 1;
      if (!part.n || ho_str_list_has_nocase("and|task|-|+", part))
        continue;
      count++;
      if (!says_nothing(part))
        ho_list_add(t->out->depends, ho_node_text(t->arena, ho_id_plain(part)));
    }
  return count;
}

static size_t indent(ho_str line)
{
  size_t n = 0;
  while (n < line.n && isspace((unsigned char)line.p[n]))
    n++;
  return n;
}

/* Of an item of a list below the label, the first word: a name or a reason follows it. */
static void take_depends(taking *t)
{
  ho_str rest = ho_node_str(ho_node_by_names(t->doc->root, "task_file.metadata")), line, ids;
  bool below = false, label_in_list = false;
  size_t label_indent = 0;
  while (ho_str_next_line(&rest, &line)) {
    size_t at = indent(line);
    bool item = at < line.n && strchr("-*+", line.p[at]) && at + 1 < line.n && line.p[at + 1] == ' ';
    if (line_depends(line, &ids)) {
      below = !add_depends(t, ids, SIZE_MAX);
      label_in_list = item;
      label_indent = at;
    } else if (below && item && (!label_in_list || at > label_indent)) {
      add_depends(t, ho_str_sub(line, at + 1, line.n), 1);
    } else {
      below = below && ho_str_blank(line);
    }
  }
}

static void take_time(taking *t)
{
  static const char *const names[] = {"timestamp", "completed_at", "last_updated", "task_file.completed"};
  for (size_t i = 0; i < HO_COUNT(names) && !t->out->at; i++) {
    ho_str text = ho_node_str(ho_node_by_names(t->doc->root, names[i]));
    if (text.n && !ho_stamp_time(text, &t->out->at))
      t->out->at = 0;
  }
}

/* An id that stands at two items of one document names neither of the later ones: what a template has there ("gotcha-XXX")
 * would make each the newer version of the one before. */
static void drop_repeated_ids(taking *t)
{
  ho_keyset set = {0};
  ho_node *ids = ho_node_new(t->arena, HO_KIND_MAP);
  for (size_t i = 0; ids && i < t->out->count; i++) {
    ho_item *item = &t->out->rows[i];
    if (!item->own_id)
      continue;
    ho_map_add(ids, item->id, ho_node_bool(t->arena, true));
    if (ho_keyset_earlier(&set, t->arena, ids)) {
      item->id = HO_EMPTY;
      item->own_id = false;
    }
  }
}

ho_code ho_knowledge_items(const ho_doc *doc, ho_str root, ho_arena *arena, ho_items *out, ho_error *err)
{
  taking t = {.doc = doc, .root = root, .arena = arena, .out = out};
  ho_slots *slots = HO_NEW(arena, ho_slots);
  *out = (ho_items){0};
  if (!slots)
    return ho_arena_code(arena, err);
  ho_slots_of(doc->format, slots);
  out->parties = ho_node_new(arena, HO_KIND_LIST);
  out->depends = ho_node_new(arena, HO_KIND_LIST);
  for (size_t i = 0; i < slots->count; i++)
    take_about(&t, &slots->items[i]);
  for (size_t i = 0; i < slots->count; i++)
    take_slot(&t, &slots->items[i]);
  drop_repeated_ids(&t);
  take_depends(&t);
  take_time(&t);
  out->halts = ho_response_findings_halts(doc->format, doc->root);
  if (!out->task.n)
    out->task = ho_place_task_around(doc->source.path);
  out->task = ho_id_plain(out->task);
  out->phase = ho_id_plain(out->phase);
  return ho_arena_code(arena, err);
}
