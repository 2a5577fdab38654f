#include "engine/ledger/deciders_change.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/grow.h"
#include "base/time.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/key_file.h"
#include "engine/ledger/seal_sign.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/paths.h"
#include "store/handoffs/events.h"

enum { MOST_GATES = 1000000 };

typedef struct changing {
  ho_deciders_changing *in;
  ho_deciders before;
  ho_key_file own;
  ho_str id;   /* of the project */
  ho_str name; /* of the person, as a decider */
  ho_str at;   /* now */
  ho_decider_lines lines;
  bool adopted; /* the lines are signed by others */
  ho_str whose; /* decisions of this key are kept; "": those that nobody signed */
  bool keeps;
  ho_keypair pair;
  ho_str signer;
} changing;

static ho_code add_event(const changing *c, ho_str kind, const ho_node *data, ho_error *err)
{
  ho_project *project = c->in->project;
  ho_event event = {.at = ho_project_now(project),
                    .actor = ho_project_actor(project),
                    .kind = kind,
                    .data = ho_event_data_json(c->in->arena, data)};
  ho_code code = ho_arena_code(c->in->arena, err);
  return code ? code : ho_events_add_project(project->store, &event, err);
}

/* Decisions that would no longer count: those that nobody signed, or those of a key that is revoked. */
static ho_code list_decisions(changing *c, ho_node *list, ho_error *err)
{
  ho_gate_list gates;
  ho_arena *arena = c->in->arena;
  char print[HO_FINGERPRINT_SIZE];
  ho_keypair_fingerprint(c->whose, print);
  ho_code code = ho_gate_read_list(c->in->project, HO_GATE_DECIDED, HO_EMPTY, MOST_GATES, arena, &gates, err);
  for (size_t i = 0; !code && i < gates.count; i++)
    if (gates.rows[i].state == HO_GATE_DECIDED && gates.rows[i].proof.n && ho_str_is(gates.rows[i].signer, print))
      ho_list_add(list, ho_node_text(arena, ho_gate_read_digest(arena, c->id, &gates.rows[i])));
  c->in->kept = (int64_t)list->count;
  return code ? code : ho_arena_code(arena, err);
}

/* They are listed, signed, and stay. *digest: of what was signed, for the lines. */
static ho_code keep_decisions(changing *c, ho_node *list, ho_node **data, ho_str *digest, ho_error *err)
{
  ho_arena *arena = c->in->arena;
  char signature[HO_SIGNATURE_SIZE], hex[HO_DIGEST_SIZE];
  *data = NULL;
  *digest = HO_EMPTY;
  if (!list->count)
    return HO_OK;
  ho_str statement = ho_deciders_kept_statement(arena, c->id, c->at, c->name, list);
  ho_keypair_sign(&c->pair, statement, signature);
  ho_digest_text(statement, hex);
  *digest = ho_arena_copy(arena, ho_str_of(hex));
  *data = ho_node_new(arena, HO_KIND_MAP);
  ho_map_put(arena, *data, "by", c->name);
  ho_map_put(arena, *data, "at", c->at);
  ho_map_addz(*data, "decisions", list);
  ho_map_put(arena, *data, "signature", ho_arena_copy(arena, ho_str_of(signature)));
  return ho_arena_code(arena, err);
}

static void sign_line(changing *c, ho_decider_line *line, ho_str kept)
{
  char signature[HO_SIGNATURE_SIZE];
  line->project = c->id;
  line->at = c->at;
  line->by = c->name;
  line->kept = kept;
  ho_keypair_sign(&c->pair, ho_deciders_statement(c->in->arena, line), signature);
  line->signature = ho_arena_copy(c->in->arena, ho_str_of(signature));
}

static ho_code add_lines(changing *c, ho_error *err)
{
  ho_arena *arena = c->in->arena;
  ho_node *list = ho_node_new(arena, HO_KIND_LIST), *kept = NULL;
  ho_str digest = HO_EMPTY;
  bool revokes = c->lines.rows[0].revoked; /* then the list comes first, while the key still counts */
  ho_code code = ho_arena_code(arena, err);
  if (!code && c->keeps)
    code = list_decisions(c, list, err);
  if (!code)
    code = keep_decisions(c, list, &kept, &digest, err);
  if (!code && kept && revokes)
    code = add_event(c, HO_EVENT_DECISIONS_KEPT, kept, err);
  for (size_t i = 0; !code && i < c->lines.count; i++) {
    if (!c->adopted)
      sign_line(c, &c->lines.rows[i], digest);
    code = add_event(c, c->lines.rows[i].revoked ? HO_EVENT_DECIDER_REVOKED : HO_EVENT_DECIDER_ENROLLED,
                     ho_deciders_line_data(arena, &c->lines.rows[i]), err);
  }
  if (!code && kept && !revokes)
    code = add_event(c, HO_EVENT_DECISIONS_KEPT, kept, err);
  return code;
}

/* Does no later line speak of the same key? */
static bool is_last(const ho_decider_lines *lines, size_t at)
{
  for (size_t i = at + 1; i < lines->count; i++)
    if (ho_str_eq(lines->rows[i].key, lines->rows[at].key))
      return false;
  return true;
}

static ho_code change(ho_store *store, void *data, ho_error *err)
{
  changing *c = data;
  ho_arena *arena = c->in->arena;
  ho_deciders after;
  ho_code code = add_lines(c, err);
  if (!code && !c->adopted)
    code = ho_seal_sign(c->in->project, arena, c->id, &c->pair, c->signer, err);
  if (!code)
    code = ho_deciders_load(c->in->project, arena, &after, err);
  if (!code)
    ho_deciders_ask_git(c->in->project, arena, &after);
  for (size_t i = 0; !code && i < c->lines.count; i++) {
    const ho_decider_line *line = &c->lines.rows[i];
    const ho_decider *one = ho_deciders_find(&after, line->key);
    if (!is_last(&c->lines, i))
      continue;
    if (!one || (line->revoked && ho_deciders_active(one)) || (!c->adopted && ho_deciders_active(one) == line->revoked))
      code = ho_fail(err, HO_INVALID, "the key of %.*s is not signed by a decider of this project", HO_ARG(line->name));
  }
  if (!code)
    code = ho_store_intend(store, ho_fs_join(arena, c->in->project->home, HO_STR(HO_PATH_DECIDERS)),
                           ho_deciders_text(&after, arena), HO_INTENT_WORKING, err);
  return code;
}

/* The copy outside of the project, for this user only. */
static ho_code write_pin(changing *c, ho_error *err)
{
  ho_deciders after;
  ho_arena *arena = c->in->arena;
  ho_str path = ho_deciders_pin_path(c->in->project, arena);
  ho_code code = ho_deciders_load(c->in->project, arena, &after, err);
  if (!code)
    c->in->unconfirmed = ho_deciders_unconfirmed(&after, arena);
  if (code || !path.n)
    return code;
  ho_deciders_ask_git(c->in->project, arena, &after);
  const char *folder = ho_arena_z(arena, ho_fs_parent(path));
  mode_t mask = umask(077);
  code = ho_fs_mkdirs(folder, err);
  if (!code)
    code = ho_fs_write(path.p, ho_deciders_text(&after, arena), HO_FS_REPLACE, err);
  umask(mask);
  return code;
}

static void push(changing *c, const ho_decider_line *line)
{
  ho_decider_line *slot = HO_PUSH(c->in->arena, c->lines.rows, c->lines.count);
  if (slot)
    *slot = *line;
}

/* Asks for the passphrase, having shown who is added or revoked. The lines are signed as they are added. */
static ho_code unlock(changing *c, ho_error *err)
{
  ho_buf shown;
  char print[HO_FINGERPRINT_SIZE];
  ho_arena *arena = c->in->arena;
  ho_buf_init(&shown, 0);
  for (size_t i = 0; i < c->lines.count; i++) {
    const ho_decider_line *line = &c->lines.rows[i];
    ho_keypair_fingerprint(line->key, print);
    ho_buf_printf(&shown, "%s %.*s, key %s\n", line->revoked ? "Revoke" : "Enrol", HO_ARG(line->name), print);
  }
  ho_code code = ho_key_file_unlock(arena, &c->own, c->in->person, ho_buf_move(&shown, arena), &c->pair, err);
  ho_keypair_fingerprint(c->own.key, print);
  c->signer = ho_arena_copy(arena, ho_str_of(print));
  return code ? code : ho_arena_code(arena, err);
}

static ho_code begin(changing *c, ho_error *err)
{
  ho_arena *arena = c->in->arena;
  c->at = ho_time_str(arena, ho_project_now(c->in->project));
  ho_code code = ho_person_not_agent(err);
  if (!code)
    code = ho_deciders_load(c->in->project, arena, &c->before, err);
  if (code)
    return code;
  ho_deciders_ask_git(c->in->project, arena, &c->before);
  c->id = c->before.project;
  code = ho_key_file_read(arena, &c->own, err);
  const ho_decider *me = code || !c->own.there ? NULL : ho_deciders_find(&c->before, c->own.key);
  c->name = me ? me->added.name : c->own.name;
  return code;
}

static ho_code finish(changing *c, ho_error *err)
{
  ho_code code = ho_ledger_write(c->in->project, change, c, err);
  ho_keypair_wipe(&c->pair);
  if (!code)
    code = write_pin(c, err);
  c->in->changed = c->lines;
  return code;
}

/* Own key, and a decider that may sign for others. */
static ho_code must_be_decider(const changing *c, ho_error *err)
{
  const ho_decider *me = c->own.there ? ho_deciders_find(&c->before, c->own.key) : NULL;
  if (me && ho_deciders_active(me))
    return HO_OK;
  if (c->before.doubt.n)
    return ho_fail(err, HO_GATED, "only a decider can do this, but %.*s", HO_ARG(c->before.doubt));
  return ho_fail(err, HO_GATED, "only a decider of this project can do this: %.*s",
                 HO_ARG(ho_deciders_names(&c->before, c->in->arena)));
}

/* The first decider of the project. */
static ho_code enrol_first(changing *c, ho_error *err)
{
  char id[33];
  ho_code code = ho_random_hex(id, 16, err);
  if (code)
    return code;
  c->id = ho_arena_copy(c->in->arena, ho_str_of(id));
  c->keeps = true;
  c->whose = HO_EMPTY;
  return HO_OK;
}

static ho_code enrol_own(changing *c, ho_error *err)
{
  ho_code code = HO_OK;
  if (!c->own.there)
    return ho_fail(err, HO_NOT_FOUND, "you have no key; run: handoff key new");
  const ho_decider *me = ho_deciders_find(&c->before, c->own.key);
  if (me && ho_deciders_active(me))
    return ho_fail(err, HO_CONFLICT, "your key is enrolled already, as %.*s", HO_ARG(me->added.name));
  if (c->before.required && !c->before.active)
    return ho_fail(err, HO_GATED, "%.*s", HO_ARG(c->before.doubt));
  if (c->before.required)
    return ho_fail(err, HO_GATED,
                   "only a decider can enrol you (%.*s); give them the line that 'handoff key list' prints",
                   HO_ARG(ho_deciders_names(&c->before, c->in->arena)));
  code = enrol_first(c, err);
  push(c, &(ho_decider_line){.name = c->own.name, .key = c->own.key});
  return code ? code : unlock(c, err);
}

/* Lines of a copy of deciders whose ledger is elsewhere: a person looks at them and accepts them as they are. */
static ho_code adopt(changing *c, const ho_decider_lines *lines, ho_error *err)
{
  ho_buf shown;
  char print[HO_FINGERPRINT_SIZE];
  ho_buf_init(&shown, 0);
  ho_buf_puts(&shown, "Deciders of this project, as the file has them:\n");
  for (size_t i = 0; i < lines->count; i++) {
    const ho_decider_line *line = &lines->rows[i];
    ho_keypair_fingerprint(line->key, print);
    ho_buf_printf(&shown, "  %.*s %s, key %s, by %.*s\n", HO_ARG(line->name), line->revoked ? "revoked" : "added",
                  print, HO_ARG(line->by));
    push(c, line);
  }
  ho_buf_puts(&shown, "Compare the keys with their owners before you accept them.\n");
  c->adopted = true;
  return c->in->person->agree(c->in->person->world, c->in->arena, ho_buf_move(&shown, c->in->arena),
                              HO_STR("Accept them? Type yes: "), err);
}

/* "NAME ed25519:KEY": what `key list` prints for somebody to enrol; or the deciders of another ledger, of whom those that
 * it has as revoked are left out. */
static ho_code take_requests(changing *c, ho_str text, const ho_decider_lines *lines, ho_error *err)
{
  ho_str line, name, key;
  while (ho_str_next_line(&text, &line)) {
    line = ho_str_trim(line);
    if (!line.n || line.p[0] == '#' || ho_str_starts(line, "project "))
      continue;
    if (!ho_str_next(&line, ' ', &name) || !ho_str_next(&line, ' ', &key) || !ho_str_starts(key, HO_KEY_PREFIX) ||
        !ho_key_file_name_fits(name))
      return ho_fail(err, HO_INVALID, "a line is not 'NAME " HO_KEY_PREFIX "KEY'");
    key = ho_str_sub(key, sizeof HO_KEY_PREFIX - 1, key.n);
    if (!ho_keypair_valid(key))
      return ho_fail(err, HO_INVALID, "the key of %.*s is not an Ed25519 key", HO_ARG(name));
    const ho_decider *known = ho_deciders_find(&c->before, key);
    if ((known && ho_deciders_active(known)) || ho_deciders_revoked_in(lines, key))
      continue;
    bool again = false;
    for (size_t i = 0; i < c->lines.count; i++) {
      bool same_key = ho_str_eq(c->lines.rows[i].key, key), same_name = ho_str_eq(c->lines.rows[i].name, name);
      if (same_key != same_name)
        return ho_fail(err, HO_INVALID, "%.*s and %.*s have the same %s", HO_ARG(c->lines.rows[i].name), HO_ARG(name),
                       same_key ? "key" : "name");
      again |= same_key;
    }
    if (again)
      continue;
    for (size_t i = 0; i < c->before.count; i++)
      if (ho_deciders_active(&c->before.rows[i]) && ho_str_eq(c->before.rows[i].added.name, name))
        return ho_fail(err, HO_CONFLICT, "there is another decider called %.*s", HO_ARG(name));
    push(c, &(ho_decider_line){.name = name, .key = key});
  }
  return c->lines.count
             ? ho_arena_code(c->in->arena, err)
             : ho_fail(err, HO_CONFLICT, "nobody is left to enrol: these keys are enrolled already, or revoked");
}

ho_code ho_deciders_enrol(ho_deciders_changing *in, ho_str text, ho_error *err)
{
  changing c = {.in = in};
  ho_code code = begin(&c, err);
  if (code)
    return code;
  ho_decider_lines lines = ho_deciders_parse(in->arena, text);
  if (!text.n) {
    code = enrol_own(&c, err);
  } else if (lines.count && !c.before.active) {
    code = adopt(&c, &lines, err);
  } else {
    code = c.before.active || c.before.required
               ? must_be_decider(&c, err)
               : ho_fail(err, HO_GATED,
                         "nobody is enrolled yet; enrol your own key first: handoff key "
                         "enrol");
    if (!code)
      code = take_requests(&c, text, &lines, err);
    if (!code)
      code = unlock(&c, err);
  }
  return code ? code : finish(&c, err);
}

ho_code ho_deciders_revoke(ho_deciders_changing *in, ho_str who, ho_error *err)
{
  changing c = {.in = in};
  ho_code code = begin(&c, err);
  if (code)
    return code;
  const ho_decider *found = ho_deciders_find(&c.before, who);
  for (size_t i = 0; !found && i < c.before.count; i++)
    if (ho_deciders_active(&c.before.rows[i]) && ho_str_eq(c.before.rows[i].added.name, who))
      found = &c.before.rows[i];
  for (size_t i = 0; !found && i < c.before.count; i++)
    if (c.before.rows[i].elsewhere && ho_str_eq(c.before.rows[i].added.name, who))
      found = &c.before.rows[i];
  if (!found || (!ho_deciders_active(found) && !found->elsewhere))
    return ho_fail(err, HO_NOT_FOUND, "there is no decider %.*s; run: handoff key list", HO_ARG(who));
  code = must_be_decider(&c, err);
  if (code)
    return code;
  if (c.before.active == 1 && ho_deciders_active(found))
    return ho_fail(err, HO_CONFLICT, "%.*s is the only decider; enrol another one first", HO_ARG(found->added.name));
  push(&c, &(ho_decider_line){.revoked = true, .name = found->added.name, .key = found->added.key});
  c.keeps = true;
  c.whose = found->added.key;
  code = unlock(&c, err);
  return code ? code : finish(&c, err);
}
