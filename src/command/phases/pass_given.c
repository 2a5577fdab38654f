#include "command/phases/pass_given.h"

#include "model/formats/formats.h"
#include "model/wording.h"

static void put(ho_call *call, ho_node *map, const char *key, ho_str text)
{
  ho_node *old = ho_map_getz(map, key);
  if (!text.n)
    return;
  if (old)
    ho_node_remove(map, old);
  ho_map_addz(map, key, ho_node_text(call->arena, text));
}

/* "first: second" as a record; without a colon, only the first. */
static ho_node *pair(ho_call *call, ho_str text, const char *first, const char *second)
{
  ho_node *map = ho_node_new(call->arena, HO_KIND_MAP);
  size_t colon = ho_str_find(text, ": ");
  put(call, map, first, ho_str_trim(colon == HO_NONE ? text : ho_str_sub(text, 0, colon)));
  put(call, map, second, colon == HO_NONE ? HO_EMPTY : ho_str_trim(ho_str_sub(text, colon + 2, text.n)));
  return map;
}

static ho_node *decision(ho_call *call, ho_str text)
{
  return pair(call, text, "decision", "rationale");
}

static ho_node *dead_end(ho_call *call, ho_str text)
{
  return pair(call, text, "approach", "reason");
}

static ho_node *fact(ho_call *call, ho_str text)
{
  return ho_node_text(call->arena, text);
}

/* "Kind: path, detail", "path, detail" or "path". */
static ho_node *reference(ho_call *call, ho_str text)
{
  ho_node *map = ho_node_new(call->arena, HO_KIND_MAP);
  size_t colon = ho_str_find(text, ": "), comma;
  put(call, map, "kind", colon == HO_NONE ? HO_STR("Related file") : ho_str_trim(ho_str_sub(text, 0, colon)));
  text = colon == HO_NONE ? text : ho_str_sub(text, colon + 2, text.n);
  comma = ho_str_find(text, ", ");
  put(call, map, "path", ho_str_trim(ho_str_sub(text, 0, comma == HO_NONE ? text.n : comma)));
  put(call, map, "detail", comma == HO_NONE ? HO_EMPTY : ho_str_trim(ho_str_sub(text, comma + 2, text.n)));
  return map;
}

/* A path that was typed is meant from the folder where it was typed, as git does it; if there is no such file, from the
 * root, as documents have it. */
static ho_str typed_path(ho_call *call, ho_str path, bool *exists)
{
  ho_str here = ho_str_of(ho_full_path(call, path)), root = call->host->root;
  *exists = here.n && ho_fs_exists(here.p);
  if (*exists)
    return ho_fs_relative(root, here);
  ho_str below = ho_fs_join(call->arena, root, path);
  *exists = below.n && ho_fs_exists(below.p);
  return path;
}

/* "Plan: plan.md": the file is meant from the same folder. */
static ho_node *typed_reference(ho_call *call, ho_str text)
{
  bool exists = false;
  ho_node *item = reference(call, text), *path = ho_map_getz(item, "path");
  if (path)
    path->text = typed_path(call, path->text, &exists);
  return item;
}

/* Options that may repeat; `key`: the list of the artifact that they go to. */
static const struct {
  const char *option, *key;
  ho_node *(*item)(ho_call *call, ho_str text);  /* from a document */
  ho_node *(*typed)(ho_call *call, ho_str text); /* from the command line */
} lists[] = {{"decision", "key_decisions", decision, decision},
             {"not", "what_not_to_try", dead_end, dead_end},
             {"context", "critical_context", fact, fact},
             {"ref", "references", reference, typed_reference}};
static const struct {
  const char *option, *key;
} places[] = {{"file", "file"}, {"location", "location"}, {"goal", "goal_state"}};

static void warn_of_shell(ho_call *call)
{
  static const char *const options[] = {"next", "goal", "location", "decision", "not", "context"};
  for (size_t i = 0; i < HO_COUNT(options); i++) {
    const ho_node *given = ho_arg(call, options[i]);
    bool eaten = ho_node_is(given, HO_KIND_TEXT) && ho_wording_eaten(given->text);
    HO_EACH_CONST (item, given)
      eaten = eaten || ho_wording_eaten(ho_node_str(item));
    if (!eaten)
      continue;
    ho_call_note(
        call,
        "--%s has two spaces between words: if a shell took words out of it, pass it on again by `handoff pass "
        "--from - <<'EOF'`, which keeps back-quotes and dollar signs",
        options[i]);
    return;
  }
}

/* The record of the current state, made if it is not there. */
static ho_node *state_of(ho_call *call, ho_node *own)
{
  ho_node *state = ho_map_getz(own, "current_state");
  if (ho_node_is(state, HO_KIND_MAP))
    return state;
  if (state)
    ho_node_remove(own, state);
  return ho_map_addz(own, "current_state", ho_node_new(call->arena, HO_KIND_MAP));
}

/* The list of the artifact, made if it is not there. */
static ho_node *list_of(ho_call *call, ho_node *own, const char *key)
{
  ho_node *list = ho_map_getz(own, key);
  if (ho_node_is(list, HO_KIND_LIST))
    return list;
  if (list)
    ho_node_remove(own, list);
  return ho_map_addz(own, key, ho_node_new(call->arena, HO_KIND_LIST));
}

/* In JSON, the names of the options are understood as well. */
static void move_options(ho_call *call, ho_node *own)
{
  for (size_t i = 0; i < HO_COUNT(places); i++) {
    ho_node *given = ho_map_getz(own, places[i].option);
    if (!ho_node_is(given, HO_KIND_TEXT))
      continue;
    put(call, state_of(call, own), places[i].key, given->text);
    ho_node_remove(own, given);
  }
  for (size_t i = 0; i < HO_COUNT(lists); i++) {
    ho_node *given = ho_map_getz(own, lists[i].option);
    if (!ho_node_is(given, HO_KIND_LIST))
      continue;
    HO_EACH_CONST (item, given)
      ho_list_add(list_of(call, own, lists[i].key),
                  item->kind == HO_KIND_TEXT ? lists[i].item(call, item->text) : ho_node_copy(call->arena, item));
    ho_node_remove(own, given);
  }
}

static ho_code read_document(ho_call *call, ho_str path, ho_node **own, ho_error *err)
{
  ho_doc doc;
  ho_code code = ho_read_document(call, path, &ho_format_artifact, &doc, err);
  if (code)
    return code;
  if (!ho_node_is(doc.root, HO_KIND_MAP))
    return ho_fail_file(err, HO_INVALID, path, "is not a phase handoff; run: handoff template artifact");
  *own = ho_node_copy(call->arena, doc.root);
  move_options(call, *own);
  return ho_arena_code(call->arena, err);
}

static void add_file(ho_call *call, ho_node *own)
{
  bool exists = false;
  ho_str given = ho_arg_str(call, "file");
  if (!given.n)
    return;
  ho_str path = typed_path(call, given, &exists);
  put(call, state_of(call, own), "file", path);
  if (!exists)
    ho_call_note(call, "--file %.*s does not exist; it is recorded as %.*s", HO_ARG(given),
                 HO_ARG(ho_fs_join(call->arena, call->host->root, path)));
}

static void add_options(ho_call *call, ho_node *own)
{
  put(call, own, "immediate_next_action", ho_arg_str(call, "next"));
  add_file(call, own);
  for (size_t i = 0; i < HO_COUNT(places); i++)
    if (ho_arg_str(call, places[i].option).n && strcmp(places[i].option, "file") != 0)
      put(call, state_of(call, own), places[i].key, ho_arg_str(call, places[i].option));
  for (size_t i = 0; i < HO_COUNT(lists); i++) {
    const ho_node *given = ho_arg(call, lists[i].option);
    HO_EACH_CONST (item, given)
      if (!ho_str_blank(ho_node_str(item)))
        ho_list_add(list_of(call, own, lists[i].key), lists[i].typed(call, ho_str_trim(ho_node_str(item))));
  }
}

ho_code ho_pass_given(ho_call *call, ho_node **out, ho_error *err)
{
  ho_str from = ho_arg_str(call, "from");
  *out = ho_node_new(call->arena, HO_KIND_MAP);
  ho_code code = from.n ? read_document(call, from, out, err) : ho_arena_code(call->arena, err);
  if (code)
    return code;
  add_options(call, *out);
  warn_of_shell(call);
  if (!ho_map_str(*out, "immediate_next_action").n)
    return ho_fail(err, HO_USAGE, "no next step; use --next TEXT%s",
                   from.n ? ", or a section '## Immediate Next Action' in the document" : ", or --from -");
  return ho_arena_code(call->arena, err);
}
