/* Edits JSON settings in place. */
#include "base/buf.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "doc/text/splice.h"
#include "engine/hook/install.h"

enum { UNIT = 16 /* bytes of one level of indentation */ };

typedef struct editor {
  ho_arena *arena;
  const ho_harness *harness;
  ho_str text;
  ho_node *root;
  ho_splice splice;
  char unit[UNIT + 1]; /* one level of indentation */
  bool crlf;
  ho_error *err;
  ho_code code;
} editor;

static uint32_t start_of(const ho_node *node)
{
  return node->key_end > node->key_begin && node->key_begin != HO_NOWHERE ? node->key_begin : node->begin;
}

/* The white space before the first member on its line. */
static void find_indent(editor *e)
{
  const ho_node *first = e->root->first;
  size_t at = first ? start_of(first) : 0, from = at;
  memcpy(e->unit, "  ", 3);
  while (from > 0 && (e->text.p[from - 1] == ' ' || e->text.p[from - 1] == '\t'))
    from--;
  if (from > 0 && e->text.p[from - 1] == '\n' && at > from && at - from <= UNIT) {
    memcpy(e->unit, e->text.p + from, at - from);
    e->unit[at - from] = '\0';
  }
}

static ho_code open_text(editor *e, ho_str text)
{
  ho_source *source = HO_NEW(e->arena, ho_source);
  if (!source)
    return ho_arena_code(e->arena, e->err);
  e->text = text;
  e->crlf = ho_str_has(text, "\r\n");
  ho_code code = ho_source_init(source, e->arena, HO_STR("settings"), text, e->err);
  if (!code)
    code = ho_json_read(source, HO_JSON_COMMENTS, e->arena, NULL, &e->root, e->err);
  if (!code && !ho_node_is(e->root, HO_KIND_MAP))
    code = ho_fail(e->err, HO_INVALID, "the settings are not a JSON object");
  if (code)
    return code;
  find_indent(e);
  ho_splice_init(&e->splice, e->arena, text);
  return HO_OK;
}

static void put_break(const editor *e, ho_buf *out, size_t depth)
{
  ho_buf_puts(out, e->crlf ? "\r\n" : "\n");
  while (depth--)
    ho_buf_puts(out, e->unit);
}

/* The value as written at that depth, in the file's own indentation. */
static void put_value(const editor *e, ho_buf *out, const ho_node *value, size_t depth)
{
  ho_buf plain;
  ho_str rest, line;
  bool first = true;
  ho_buf_init(&plain, 0);
  ho_json_write(&plain, value, 1);
  rest = ho_buf_str(&plain);
  while (ho_str_next_line(&rest, &line)) {
    size_t level = 0;
    while (level < line.n && line.p[level] == ' ')
      level++;
    if (!first)
      put_break(e, out, depth + level);
    first = false;
    ho_buf_put(out, ho_str_sub(line, level, line.n));
  }
  ho_buf_free_into(&plain, out);
}

static void edit(editor *e, uint32_t from, uint32_t to, ho_str with)
{
  if (!e->code)
    e->code = ho_splice_replace(&e->splice, from, to, with, e->err);
}

/* Appends the children of `more` to a container at `depth`. */
static void append(editor *e, const ho_node *container, const ho_node *more, size_t depth)
{
  ho_buf out;
  if (!more || !more->first)
    return;
  ho_buf_init(&out, 0);
  if (!container->last) {
    put_value(e, &out, more, depth);
    edit(e, container->begin, container->end, ho_buf_move(&out, e->arena));
    return;
  }
  HO_EACH_CONST (value, more) {
    ho_buf_putc(&out, ',');
    put_break(e, &out, depth + 1);
    if (container->kind == HO_KIND_MAP) {
      ho_json_write_text(&out, value->key);
      ho_buf_puts(&out, ": ");
    }
    put_value(e, &out, value, depth + 1);
  }
  edit(e, container->last->end, container->last->end, ho_buf_move(&out, e->arena));
}

/* Is it a handler of ours? */
static bool is_handler(const editor *e, const ho_node *handler)
{
  ho_str command = ho_str_trim(ho_map_str(handler, "command"));
  const char *own = ho_arena_z(e->arena, ho_arena_printf(e->arena, "handoff hook %s", e->harness->name));
  size_t n = strlen(own);
  return ho_str_ends(command, own) && (command.n == n || strchr("/\" ", command.p[command.n - n - 1]));
}

static bool has_handler(const editor *e, const ho_node *groups)
{
  HO_EACH_CONST (group, groups)
    HO_EACH_CONST (handler, ho_map_getz(group, "hooks"))
      if (is_handler(e, handler))
        return true;
  return false;
}

/* In TOML our hooks are between marks, a command for each event. */
static size_t count_toml(const editor *e, ho_str text)
{
  size_t count = 0, begin = ho_str_find(text, ho_install_hash.begin);
  const char *own = ho_arena_z(e->arena, ho_arena_printf(e->arena, "handoff hook %s", e->harness->name));
  ho_str rest = begin == HO_NONE ? HO_EMPTY : ho_str_sub(text, begin, text.n);
  for (size_t at; (at = ho_str_find(rest, own)) != HO_NONE; count++)
    rest = ho_str_sub(rest, at + 1, rest.n);
  return count;
}

size_t ho_install_count(ho_arena *arena, const ho_harness *harness, ho_str text)
{
  ho_error none = {0};
  editor e = {.arena = arena, .harness = harness, .err = &none};
  size_t count = 0;
  for (const ho_hook_event *each = harness->events; harness->plugin && each->name; each++)
    count += ho_str_has(text, ho_install_script.begin) && ho_str_has(text, each->name);
  if (harness->plugin)
    return count;
  if (open_text(&e, text))
    return count_toml(&e, text);
  for (const ho_hook_event *each = harness->events; each->name; each++)
    count += each->matcher && has_handler(&e, ho_map_getz(ho_map_getz(e.root, "hooks"), each->name));
  return count;
}

static bool has_item(const ho_node *list, const ho_node *item)
{
  HO_EACH_CONST (each, list)
    if (ho_node_equal(each, item))
      return true;
  return false;
}

/* The items of `wanted` that `there` does not have. */
static const ho_node *lacking(const editor *e, const ho_node *there, const ho_node *wanted)
{
  ho_node *list = ho_node_new(e->arena, HO_KIND_LIST);
  HO_EACH_CONST (item, wanted)
    if (!has_item(there, item))
      ho_list_add(list, ho_node_copy(e->arena, item));
  return list;
}

static bool in_hooks(const ho_node *parent)
{
  return ho_str_is(parent->key, "hooks");
}

/* A program that is registered under one name: it is there or not, and nothing is added to what a person has made of it. */
static bool is_program(const ho_node *want)
{
  return ho_map_getz(want, "command") != NULL;
}

/* Puts the members of `wanted` into `there`: missing ones are added as a whole, maps are merged, lists get the items
 * they lack. What is there with another type stays: the user wants it that way. */
static void merge(editor *e, const ho_node *there, const ho_node *wanted, size_t depth)
{
  ho_node *fresh = ho_node_new(e->arena, HO_KIND_MAP);
  HO_EACH_CONST (want, wanted) {
    const ho_node *old = ho_map_get(there, want->key);
    if (!old) {
      ho_map_add(fresh, want->key, ho_node_copy(e->arena, want));
    } else if (old->kind == HO_KIND_MAP && want->kind == HO_KIND_MAP && !is_program(want)) {
      merge(e, old, want, depth + 1);
    } else if (old->kind == HO_KIND_LIST && want->kind == HO_KIND_LIST) {
      if (!in_hooks(wanted))
        append(e, old, lacking(e, old, want), depth + 1);
      else if (!has_handler(e, old))
        append(e, old, want, depth + 1);
    }
  }
  append(e, there, fresh, depth);
}

static ho_code finish(editor *e, ho_str *out)
{
  ho_buf text;
  if (e->code)
    return e->code;
  ho_buf_init(&text, 0);
  ho_splice_write(&e->splice, &text);
  *out = ho_buf_move(&text, e->arena);
  return ho_arena_code(e->arena, e->err);
}

/* ---- Removing */

/* Removes the `gone` children; those after a child that stays go with the comma before them, those at the front with
 * the comma after them. */
static void take_out(editor *e, const ho_node *container, const bool *gone)
{
  const ho_node *before = NULL;
  bool front = true;
  size_t i = 0;
  HO_EACH_CONST (child, container) {
    if (gone[i] && front && child->next)
      edit(e, start_of(child), start_of(child->next), HO_EMPTY);
    else if (gone[i] && before)
      edit(e, before->end, child->end, HO_EMPTY);
    front = front && gone[i];
    before = child;
    i++;
  }
}

typedef bool (*is_ours)(editor *e, const ho_node *there, const ho_node *wanted, size_t depth);

/* Marks and removes the children for which `ours` is true; returns true if all of them are, and removes nothing
 * then. */
static bool prune(editor *e, const ho_node *container, const ho_node *wanted, is_ours ours, size_t depth)
{
  bool *gone = ho_arena_array(e->arena, container->count + 1, sizeof *gone);
  size_t i = 0, count = 0;
  if (!gone)
    return false;
  HO_EACH_CONST (child, container) {
    gone[i] = ours(e, child, wanted, depth);
    count += gone[i++];
  }
  if (count == container->count)
    return count > 0;
  take_out(e, container, gone);
  return false;
}

static bool our_handler(editor *e, const ho_node *handler, const ho_node *wanted, size_t depth)
{
  (void)wanted;
  (void)depth;
  return is_handler(e, handler);
}

static bool our_group(editor *e, const ho_node *group, const ho_node *wanted, size_t depth)
{
  const ho_node *handlers = ho_map_getz(group, "hooks");
  return ho_node_is(handlers, HO_KIND_LIST) && prune(e, handlers, wanted, our_handler, depth);
}

static bool our_item(editor *e, const ho_node *item, const ho_node *wanted, size_t depth)
{
  (void)e;
  (void)depth;
  return has_item(wanted, item);
}

static bool our_member(editor *e, const ho_node *member, const ho_node *wanted, size_t depth)
{
  const ho_node *want = ho_map_get(wanted, member->key);
  if (!want || want->kind != member->kind)
    return false;
  if (want->kind == HO_KIND_LIST)
    return prune(e, member, want, in_hooks(wanted) ? our_group : our_item, depth + 1);
  if (is_program(want))
    return ho_node_equal(ho_map_getz(member, "command"), ho_map_getz(want, "command"));
  return want->kind == HO_KIND_MAP && prune(e, member, want, our_member, depth + 1);
}

static ho_code remove_tree(editor *e, const ho_node *wanted, ho_str text, ho_str *out)
{
  *out = HO_EMPTY;
  if (ho_str_blank(text))
    return HO_OK;
  ho_code code = open_text(e, text);
  if (code)
    return code;
  if (prune(e, e->root, wanted, our_member, 0))
    return ho_arena_code(e->arena, e->err);
  return finish(e, out);
}

ho_code ho_install_remove(ho_arena *arena, const ho_harness *harness, const ho_rights *rights, ho_str text, ho_str *out,
                          ho_error *err)
{
  editor e = {.arena = arena, .harness = harness, .err = err};
  return remove_tree(&e, ho_install_ours(arena, harness, rights), text, out);
}

ho_code ho_install_remove_server(ho_arena *arena, const ho_harness *harness, ho_str text, ho_str *out, ho_error *err)
{
  editor e = {.arena = arena, .harness = harness, .err = err};
  return remove_tree(&e, ho_install_server(arena, harness), text, out);
}

/* ---- Both */

/* The text without the entries of earlier versions, which may deny what the present ones do not. */
static ho_code take_former(editor *e, const ho_rights *rights, ho_str *text)
{
  ho_node *former = ho_install_former(e->arena, e->harness, rights);
  ho_code code = former && !ho_str_blank(*text) ? open_text(e, *text) : HO_OK;
  if (code || !former || ho_str_blank(*text) || prune(e, e->root, former, our_member, 0))
    return code;
  return finish(e, text);
}

static ho_code put_tree(editor *e, const ho_node *wanted, ho_str text, ho_str *out)
{
  if (ho_str_blank(text)) {
    ho_buf whole;
    ho_buf_init(&whole, 0);
    ho_json_write(&whole, wanted, 2);
    ho_buf_putc(&whole, '\n');
    *out = ho_buf_move(&whole, e->arena);
    return ho_arena_code(e->arena, e->err);
  }
  ho_code code = open_text(e, text);
  if (code)
    return code;
  merge(e, e->root, wanted, 0);
  return finish(e, out);
}

ho_code ho_install_put(ho_arena *arena, const ho_harness *harness, const ho_rights *rights, ho_str text, ho_str *out,
                       ho_error *err)
{
  editor e = {.arena = arena, .harness = harness, .err = err};
  ho_code code = take_former(&e, rights, &text);
  return code ? code : put_tree(&e, ho_install_wanted(arena, harness, rights), text, out);
}

ho_code ho_install_put_server(ho_arena *arena, const ho_harness *harness, ho_str text, ho_str *out, ho_error *err)
{
  editor e = {.arena = arena, .harness = harness, .err = err};
  return put_tree(&e, ho_install_server(arena, harness), text, out);
}
