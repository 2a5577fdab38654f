#include "engine/project/trust.h"

#include "base/buf.h"
#include "doc/json/json.h"
#include "engine/project/personal.h"

/* clang-format off */
static const struct {
  const char *name, *value, *what, *verb, *pronoun;
} items[] = {
#define X(name, text, value, what, verb, pronoun) {text, value, what, verb, pronoun},
    HO_TRUST_ITEMS(X)
#undef X
};
/* clang-format on */

const char *ho_trust_item_name(ho_trust_item item)
{
  return items[item].name;
}

bool ho_trust_needs(const ho_node *setting)
{
  for (size_t i = 0; i < HO_COUNT(items); i++)
    if (ho_str_is(setting->key, items[i].name))
      return !items[i].value || (*items[i].value && ho_str_is(ho_node_str(setting), items[i].value));
  return false;
}

const char *ho_trust_state_name(ho_trust_state state)
{
  static const char *const names[] = {"absent", "not trusted", "changed", "trusted"};
  return names[state];
}

/* ---- The file */

static ho_personal kept_of(const ho_trust *trust)
{
  return (ho_personal){.arena = trust->arena, .home = trust->home, .root = trust->root, .kind = "trust"};
}

static void take_line(ho_trust *trust, ho_str line)
{
  ho_str name;
  if (!ho_str_next(&line, ' ', &name) || !ho_digest_valid(line))
    return;
  for (size_t i = 0; i < HO_TRUST_COUNT; i++)
    if (ho_str_is(name, items[i].name))
      memcpy(trust->known[i], line.p, line.n);
}

static void read_file(ho_trust *trust)
{
  ho_personal kept = kept_of(trust);
  ho_str text, line;
  if (trust->read)
    return;
  trust->read = true;
  ho_code code = ho_personal_read(&kept, &text, &trust->unread);
  if (code == HO_NOT_FOUND)
    trust->unread = (ho_error){0};
  while (!code && ho_str_next_line(&text, &line))
    take_line(trust, line);
}

/* ---- Values */

/* Names the item too, so that no value can stand for another item's. */
static void digest_of(const ho_trust *trust, ho_trust_item item, char out[HO_DIGEST_SIZE])
{
  ho_buf text;
  ho_error none = {0};
  ho_buf_init(&text, 0);
  ho_buf_printf(&text, "handoff trust %s\n", items[item].name);
  ho_json_write(&text, trust->values[item], 0);
  out[0] = '\0';
  if (ho_buf_code(&text, &none) == HO_OK)
    ho_digest_text(ho_buf_str(&text), out);
  ho_buf_free(&text);
}

ho_trust_state ho_trust_of(ho_trust *trust, ho_trust_item item)
{
  char digest[HO_DIGEST_SIZE];
  if (!trust->values[item])
    return HO_TRUST_ABSENT;
  read_file(trust);
  if (!trust->known[item][0])
    return HO_TRUST_NOT;
  digest_of(trust, item, digest);
  return strcmp(digest, trust->known[item]) == 0 ? HO_TRUST_GIVEN : HO_TRUST_CHANGED;
}

bool ho_trust_use(ho_trust *trust, ho_trust_item item)
{
  ho_trust_state state = trust ? ho_trust_of(trust, item) : HO_TRUST_ABSENT;
  if (state == HO_TRUST_NOT || state == HO_TRUST_CHANGED)
    trust->missed[item] = true;
  return state == HO_TRUST_GIVEN;
}

ho_str ho_trust_sentence(ho_trust *trust, ho_trust_item item)
{
  bool changed = ho_trust_of(trust, item) == HO_TRUST_CHANGED;
  if (trust->unread.code)
    return ho_arena_printf(trust->arena, "%s %s not used, because it cannot be seen what is trusted: %s%s%s",
                           items[item].what, items[item].verb, trust->unread.file, trust->unread.file[0] ? " " : "",
                           trust->unread.message);
  return ho_arena_printf(trust->arena, "%s %s not used until a person trusts %s%s; run: handoff trust",
                         items[item].what, items[item].verb, items[item].pronoun, changed ? " again" : "");
}

ho_code ho_trust_give(ho_trust *trust, ho_error *err)
{
  ho_buf text;
  char digest[HO_DIGEST_SIZE];
  ho_personal kept = kept_of(trust);
  ho_buf_init(&text, 0);
  for (int i = 0; i < HO_TRUST_COUNT; i++) {
    if (!trust->values[i])
      continue;
    digest_of(trust, (ho_trust_item)i, digest);
    ho_buf_printf(&text, "%s %s\n", items[i].name, digest);
  }
  ho_code code = ho_buf_code(&text, err);
  if (!code)
    code = ho_personal_write(&kept, ho_buf_str(&text), err);
  ho_buf_free(&text);
  trust->read = false;
  return code;
}

ho_code ho_trust_end(ho_trust *trust, bool *had, ho_error *err)
{
  ho_personal kept = kept_of(trust);
  ho_error why = {0};
  ho_code code = ho_personal_remove(&kept, &why);
  *had = code == HO_OK;
  memset(trust->known, 0, sizeof trust->known);
  trust->read = false;
  if (code && code != HO_NOT_FOUND)
    *err = why;
  return code == HO_NOT_FOUND ? HO_OK : code;
}
