#include "command/keys/key_shown.h"

#include "base/term.h"
#include "engine/project/paths.h"

ho_node *ho_key_shown_own(ho_arena *arena, const ho_key_file *file)
{
  char print[HO_FINGERPRINT_SIZE];
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_keypair_fingerprint(file->key, print);
  ho_map_put(arena, map, "name", file->name);
  ho_map_put(arena, map, "key", ho_arena_printf(arena, HO_KEY_PREFIX "%.*s", HO_ARG(file->key)));
  ho_map_put(arena, map, "fingerprint", ho_arena_copy(arena, ho_str_of(print)));
  ho_map_put(arena, map, "path", file->path);
  return map;
}

void ho_key_shown_line(ho_buf *out, const ho_node *own)
{
  ho_buf_printf(out, "%.*s %.*s\n# fingerprint: %.*s\n", HO_ARG(ho_map_str(own, "name")),
                HO_ARG(ho_map_str(own, "key")), HO_ARG(ho_map_str(own, "fingerprint")));
}

void ho_key_shown_put(ho_call *call, const ho_deciders_changing *done)
{
  ho_node *list = ho_map_addz(call->result, "changed", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; i < done->changed.count; i++) {
    const ho_decider_line *line = &done->changed.rows[i];
    ho_key_file like = {.name = line->name, .key = line->key, .path = HO_EMPTY};
    ho_node *item = ho_list_add(list, ho_key_shown_own(call->arena, &like));
    ho_map_addz(item, "act", ho_node_textz(call->arena, line->revoked ? "revoked" : "enrolled"));
  }
  ho_map_addz(call->result, "kept", ho_node_number(call->arena, done->kept));
  if (done->kept)
    ho_call_note(call, "%lld earlier decision%s keep%s counting", (long long)done->kept, ho_plural(done->kept),
                 done->kept == 1 ? "s" : "");
  if (done->unconfirmed.n)
    ho_call_note(call, "%.*s", HO_ARG(done->unconfirmed));
  ho_call_note(call, "commit " HO_PATH_DECIDERS);
}

void ho_key_shown_render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  HO_EACH_CONST (item, ho_map_getz(call->result, "changed"))
    ho_buf_printf(out, "%.*s is %.*s: %.*s\n", HO_ARG(ho_map_str(item, "name")), HO_ARG(ho_map_str(item, "act")),
                  HO_ARG(ho_map_str(item, "fingerprint")));
}

static const ho_field own_fields[] = {
    HO_TEXT_FIELD("name", "Name of its owner."),          HO_TEXT_FIELD("key", "The public key."),
    HO_TEXT_FIELD("fingerprint", "What people compare."), HO_TEXT_FIELD("path", "Its file."),
    HO_TEXT_FIELD("act", "enrolled or revoked."),         HO_FIELDS_END};
const ho_record ho_key_shown_record = {.name = "key", .fields = own_fields};
static const ho_field change_fields[] = {
    HO_LIST_FIELD("changed", "Who was enrolled or revoked.", ho_key_shown_record),
    {.name = "kept", .doc = "Number of earlier decisions that keep counting.", .type = HO_T_INT},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
const ho_record ho_key_shown_change = {.name = "key result", .fields = change_fields};
