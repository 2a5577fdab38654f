#include "engine/ledger/deciders.h"

#include "base/buf.h"
#include "base/digest.h"
#include "base/grow.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/project/git.h"
#include "engine/project/paths.h"

bool ho_deciders_active(const ho_decider *decider)
{
  return !decider->gone.name.n;
}

const ho_decider *ho_deciders_find(const ho_deciders *deciders, ho_str key)
{
  const ho_decider *found = NULL;
  for (size_t i = 0; i < deciders->count; i++) {
    const ho_decider *one = &deciders->rows[i];
    char print[HO_FINGERPRINT_SIZE];
    ho_keypair_fingerprint(one->added.key, print);
    if ((ho_str_eq(one->added.key, key) || ho_str_is(key, print)) && (!found || !ho_deciders_active(found)))
      found = one;
  }
  return found;
}

ho_str ho_deciders_names(const ho_deciders *deciders, ho_arena *arena)
{
  ho_str names = HO_EMPTY;
  for (size_t i = 0; i < deciders->count; i++)
    if (ho_deciders_active(&deciders->rows[i]))
      names = ho_arena_printf(arena, "%.*s%s%.*s", HO_ARG(names), names.n ? ", " : "",
                              HO_ARG(deciders->rows[i].added.name));
  return names;
}

ho_str ho_deciders_unconfirmed(const ho_deciders *deciders, ho_arena *arena)
{
  char print[HO_FINGERPRINT_SIZE];
  if (!deciders->count || deciders->confirmed)
    return HO_EMPTY;
  ho_keypair_fingerprint(deciders->rows[0].added.key, print);
  return ho_arena_printf(arena,
                         "nobody has confirmed the key of %.*s, who was the first decider here: compare %s with the "
                         "fingerprint that %.*s sees with 'handoff key list', then run: handoff trust",
                         HO_ARG(deciders->rows[0].added.name), print, HO_ARG(deciders->rows[0].added.name));
}

bool ho_deciders_keep(const ho_deciders *deciders, ho_str digest)
{
  return ho_list_has(deciders->kept, digest);
}

static ho_decider *active_named(ho_deciders *deciders, ho_str name)
{
  for (size_t i = 0; i < deciders->count; i++)
    if (ho_deciders_active(&deciders->rows[i]) && ho_str_eq(deciders->rows[i].added.name, name))
      return &deciders->rows[i];
  return NULL;
}

static void flaw(ho_deciders *out, ho_arena *arena, ho_str text)
{
  ho_list_add(out->flaws, ho_node_text(arena, text));
}

static bool signed_with(ho_str key, ho_arena *arena, const ho_decider_line *line)
{
  return ho_keypair_verify(key, ho_deciders_statement(arena, line), line->signature);
}

/* The first decider signs for itself. It is the one that the copy outside of the project names, if there is that copy:
 * else whoever can write to the ledger could begin a new list. */
static bool is_first(const ho_deciders *d, ho_arena *arena, const ho_decider_line *line)
{
  const ho_decider_line *pinned = d->pin.count ? &d->pin.rows[0] : NULL;
  return !d->count && !line->revoked && ho_str_eq(line->name, line->by) && line->project.n &&
         signed_with(line->key, arena, line) &&
         (!pinned || (ho_str_eq(pinned->key, line->key) && ho_str_eq(pinned->project, line->project)));
}

static void say(ho_deciders *d, ho_arena *arena, const ho_decider_line *line)
{
  ho_decider_line *slot = HO_PUSH(arena, d->said.rows, d->said.count);
  if (slot)
    *slot = *line;
}

/* Is a line of a copy signed by a decider of the ledger, or by one whom earlier lines of the copy lead to? Whether that
 * decider is revoked by now does not matter: this only takes rights. */
static bool is_signed(const ho_deciders *d, ho_arena *arena, const ho_decider_lines *copy, size_t at)
{
  for (size_t next = at; next < copy->count; at = next) {
    const ho_decider_line *line = &copy->rows[at];
    for (size_t i = 0; i < d->count; i++)
      if (ho_str_eq(d->rows[i].added.name, line->by) && ho_str_eq(d->project, line->project) &&
          signed_with(d->rows[i].added.key, arena, line))
        return true;
    next = copy->count;
    for (size_t i = 0; i < at && next == copy->count; i++)
      if (!copy->rows[i].revoked && ho_str_eq(copy->rows[i].name, line->by) &&
          signed_with(copy->rows[i].key, arena, line))
        next = i;
  }
  return false;
}

/* Does a copy have the enrolment of `signer`, and a revocation after it? Then it knows all that was signed by that
 * decider. Was this not? signature: of a line of deciders; else kept: the digest of a list of decisions, which a line that
 * was signed with it names. What stands behind the revocation could have been added by whoever was revoked. */
static bool is_late(const ho_deciders *d, ho_arena *arena, const ho_decider *signer, ho_str signature, ho_str kept)
{
  const ho_decider_lines *const copies[] = {&d->file, &d->pin, &d->committed};
  for (size_t c = 0; c < HO_COUNT(copies); c++) {
    bool enrolled = false, found = false, gone = false;
    for (size_t i = 0; !found && !gone && i < copies[c]->count; i++) {
      const ho_decider_line *line = &copies[c]->rows[i];
      found = signature.n ? ho_str_eq(line->signature, signature)
                          : ho_str_eq(line->kept, kept) && ho_str_eq(line->by, signer->added.name) &&
                                signed_with(signer->added.key, arena, line);
      enrolled |= ho_str_eq(line->signature, signer->added.signature);
      gone = enrolled && line->revoked && ho_str_eq(line->key, signer->added.key) && is_signed(d, arena, copies[c], i);
    }
    if (gone && !found)
      return true;
  }
  return false;
}

static void take_line(ho_deciders *d, ho_arena *arena, const ho_decider_line *line)
{
  ho_decider *signer = active_named(d, line->by), *same = active_named(d, line->name);
  bool first = is_first(d, arena, line);
  if (!first && (!signer || !ho_str_eq(line->project, d->project) || !signed_with(signer->added.key, arena, line))) {
    flaw(d, arena,
         ho_arena_printf(arena, "that %.*s was %s by %.*s is not signed by an enrolled key; it does not count",
                         HO_ARG(line->name), line->revoked ? "revoked" : "added", HO_ARG(line->by)));
    return;
  }
  if (!first && is_late(d, arena, signer, line->signature, HO_EMPTY)) {
    flaw(d, arena,
         ho_arena_printf(arena, "that %.*s was %s by %.*s is not known where %.*s is revoked; it does not count",
                         HO_ARG(line->name), line->revoked ? "revoked" : "added", HO_ARG(line->by), HO_ARG(line->by)));
    return;
  }
  if (line->revoked) {
    if (same && ho_str_eq(same->added.key, line->key)) {
      same->gone = *line;
      say(d, arena, line);
    }
    return;
  }
  const ho_decider *known = ho_deciders_find(d, line->key); /* under two names, a key could not be revoked */
  if (known && ho_deciders_active(known))
    return;
  ho_decider *slot = same ? NULL : HO_PUSH(arena, d->rows, d->count);
  if (!slot)
    return;
  *slot = (ho_decider){.added = *line, .gone.name = HO_EMPTY};
  say(d, arena, line);
  if (first)
    d->project = line->project;
}

static void take_kept(ho_deciders *d, ho_arena *arena, const ho_node *data)
{
  const ho_decider *signer = active_named(d, ho_map_str(data, "by"));
  const ho_node *list = ho_map_getz(data, "decisions");
  char digest[HO_DIGEST_SIZE];
  ho_str statement =
      ho_deciders_kept_statement(arena, d->project, ho_map_str(data, "at"), ho_map_str(data, "by"), list);
  if (!signer || !ho_keypair_verify(signer->added.key, statement, ho_map_str(data, "signature"))) {
    flaw(d, arena, HO_STR("a list of earlier decisions is not signed by an enrolled key; it does not count"));
    return;
  }
  ho_digest_text(statement, digest);
  if (is_late(d, arena, signer, HO_EMPTY, ho_str_of(digest))) {
    flaw(d, arena, HO_STR("a list of earlier decisions is not known where its signer is revoked; it does not count"));
    return;
  }
  HO_EACH_CONST (one, list)
    ho_list_add(d->kept, ho_node_text(arena, ho_node_str(one)));
}

static void take_event(ho_deciders *d, ho_arena *arena, const ho_event *event)
{
  ho_source source;
  ho_node *data = NULL;
  ho_error err;
  bool revoked = ho_str_eq(event->kind, HO_EVENT_DECIDER_REVOKED);
  if (ho_source_init(&source, arena, HO_STR("event"), event->data, &err) ||
      ho_json_read(&source, 0, arena, NULL, &data, &err))
    return;
  if (ho_str_eq(event->kind, HO_EVENT_DECISIONS_KEPT)) {
    take_kept(d, arena, data);
    return;
  }
  if (!revoked && !ho_str_eq(event->kind, HO_EVENT_DECIDER_ENROLLED))
    return;
  ho_decider_line line = {.revoked = revoked,
                          .project = ho_map_str(data, "project"),
                          .name = ho_map_str(data, "name"),
                          .key = ho_map_str(data, "key"),
                          .at = ho_map_str(data, "at"),
                          .by = ho_map_str(data, "by"),
                          .signature = ho_map_str(data, "signature"),
                          .kept = ho_map_str(data, "kept")};
  take_line(d, arena, &line);
}

/* ---- The copies. */

/* Does the ledger know this revocation, or an enrolment after it? Then its own order counts. */
static bool is_known(const ho_deciders *d, const ho_decider_line *gone)
{
  for (size_t i = 0; i < d->count; i++) {
    const ho_decider *one = &d->rows[i];
    if (ho_str_eq(one->added.key, gone->key) &&
        (ho_str_eq(one->gone.signature, gone->signature) || ho_str_cmp(one->added.at, gone->at) > 0))
      return true;
  }
  return false;
}

/* Is a key revoked by the lines of a copy that stand before this one? */
static bool is_gone_before(const ho_deciders *d, ho_arena *arena, const ho_decider_lines *copy, const bool *allowed,
                           ho_str key, size_t at)
{
  while (at-- > 0) {
    const ho_decider_line *line = &copy->rows[at];
    if (!ho_str_eq(line->key, key))
      continue;
    if (line->revoked ? is_signed(d, arena, copy, at) : allowed[at])
      return line->revoked;
  }
  return false;
}

/* Is a line of a copy signed by somebody who was a decider at that place? This gives rights, unlike is_signed. allowed:
 * the same of all lines before. */
static bool is_allowed(const ho_deciders *d, ho_arena *arena, const ho_decider_lines *copy, const bool *allowed,
                       size_t at)
{
  const ho_decider_line *line = &copy->rows[at];
  for (size_t i = 0; i < d->count; i++)
    if (ho_str_eq(d->rows[i].added.name, line->by) && ho_str_eq(d->project, line->project) &&
        signed_with(d->rows[i].added.key, arena, line) &&
        !is_gone_before(d, arena, copy, allowed, d->rows[i].added.key, at))
      return true;
  for (size_t i = 0; i < at; i++)
    if (allowed[i] && !copy->rows[i].revoked && ho_str_eq(copy->rows[i].name, line->by) &&
        signed_with(copy->rows[i].key, arena, line) && !is_gone_before(d, arena, copy, allowed, copy->rows[i].key, at))
      return true;
  return false;
}

static bool enrolled_later(const ho_deciders *d, ho_arena *arena, const ho_decider_lines *copy, size_t gone)
{
  bool *allowed = ho_arena_alloc(arena, copy->count * sizeof *allowed);
  for (size_t i = 0; allowed && i < copy->count; i++) {
    allowed[i] = is_allowed(d, arena, copy, allowed, i);
    if (i > gone && allowed[i] && !copy->rows[i].revoked && ho_str_eq(copy->rows[i].key, copy->rows[gone].key))
      return true;
  }
  return false;
}

/* Was the line signed by somebody whom the ledger itself has as revoked? Then both are revoked by each other, and which
 * came first cannot be known: neither decides, and a person has to settle it. */
static bool is_by_revoked(const ho_deciders *d, ho_arena *arena, const ho_decider_line *line)
{
  for (size_t i = 0; i < d->count; i++) {
    const ho_decider *one = &d->rows[i];
    if (ho_str_eq(one->added.name, line->by) && signed_with(one->added.key, arena, line))
      return !ho_deciders_active(one) && !one->elsewhere;
  }
  return false;
}

static ho_str revoked_elsewhere(const ho_deciders *d, ho_arena *arena, const ho_decider_line *line, const char *where)
{
  if (is_by_revoked(d, arena, line))
    return ho_arena_printf(arena,
                           "%s has %.*s as revoked by %.*s, whom this ledger has as revoked; %.*s cannot decide until "
                           "that is settled: if %.*s had no right to it, take that line out",
                           where, HO_ARG(line->name), HO_ARG(line->by), HO_ARG(line->name), HO_ARG(line->by));
  return ho_arena_printf(arena, "%s has %.*s as revoked, this ledger does not; run: handoff key revoke %.*s", where,
                         HO_ARG(line->name), HO_ARG(line->name));
}

/* Whom a copy has as revoked, and the ledger does not. */
static void take_revoked(ho_deciders *d, ho_arena *arena, const ho_decider_lines *copy, const char *where)
{
  for (size_t i = 0; i < copy->count; i++) {
    const ho_decider_line *line = &copy->rows[i];
    const ho_decider *known = line->revoked ? ho_deciders_find(d, line->key) : NULL;
    if (!known || !ho_deciders_active(known) || is_known(d, line) || enrolled_later(d, arena, copy, i))
      continue;
    if (!is_signed(d, arena, copy, i)) {
      flaw(d, arena,
           ho_arena_printf(arena, "%s has %.*s as revoked, which no decider signed; it does not count", where,
                           HO_ARG(line->name)));
      continue;
    }
    ho_decider *gone = &d->rows[known - d->rows];
    gone->gone = *line;
    gone->elsewhere = true;
    say(d, arena, line);
    flaw(d, arena, revoked_elsewhere(d, arena, line, where));
  }
}

/* Whom a copy has that the ledger does not know, and the other way round. */
static void compare_copy(ho_deciders *d, ho_arena *arena, const ho_decider_lines *copy, const char *where)
{
  for (size_t i = 0; i < copy->count; i++)
    if (!ho_deciders_find(d, copy->rows[i].key) && !ho_deciders_revoked_in(copy, copy->rows[i].key))
      flaw(d, arena,
           ho_arena_printf(arena,
                           "%s names %.*s, whom this ledger does not know; check it and run: handoff key enrol "
                           "FILE",
                           where, HO_ARG(copy->rows[i].name)));
  for (size_t i = 0; i < d->count; i++) {
    bool found = false;
    for (size_t k = 0; !found && k < copy->count; k++)
      found = ho_str_eq(copy->rows[k].key, d->rows[i].added.key);
    if (!found)
      flaw(d, arena, ho_arena_printf(arena, "%s lacks %.*s", where, HO_ARG(d->rows[i].added.name)));
    else if (d->rows[i].gone.name.n && !ho_deciders_active(ho_deciders_find(d, d->rows[i].added.key)) &&
             !ho_deciders_revoked_in(copy, d->rows[i].added.key)) /* a new clone would take it over so */
      flaw(d, arena, ho_arena_printf(arena, "%s lacks that %.*s is revoked", where, HO_ARG(d->rows[i].added.name)));
  }
  if (copy->count && d->count && !ho_str_eq(copy->rows[0].project, d->project))
    flaw(d, arena, ho_arena_printf(arena, "%s is that of another project", where));
  take_revoked(d, arena, copy, where);
}

static void count_active(ho_deciders *d)
{
  d->active = 0;
  for (size_t i = 0; i < d->count; i++)
    d->active += ho_deciders_active(&d->rows[i]);
}

static void judge(ho_deciders *d, ho_arena *arena)
{
  d->required = d->events.count > 0 || d->file.count > 0 || d->pin.count > 0;
  if (!d->required)
    return;
  compare_copy(d, arena, &d->file, HO_PATH_DECIDERS);
  if (d->pin.count)
    compare_copy(d, arena, &d->pin, "the copy outside the project");
  take_revoked(d, arena, &d->committed, "git's newest commit");
  count_active(d);
  if (!d->active && d->count)
    d->doubt = HO_STR("all of them are revoked in one of the places that list them; run: handoff verify");
  else if (!d->active)
    d->doubt = d->pin.count
                   ? HO_STR("the ledger does not have the deciders that were enrolled here; run: handoff verify")
                   : HO_STR("its deciders are not enrolled in this ledger; check them and run: handoff key "
                            "enrol " HO_PATH_DECIDERS);
}

/* Who counts, by the events and all copies that are known. */
static void find_deciders(ho_deciders *d, ho_arena *arena)
{
  *d = (ho_deciders){.project = HO_EMPTY,
                     .doubt = HO_EMPTY,
                     .kept = ho_node_new(arena, HO_KIND_LIST),
                     .flaws = ho_node_new(arena, HO_KIND_LIST),
                     .asked_git = d->asked_git,
                     .confirmed = d->confirmed,
                     .file = d->file,
                     .pin = d->pin,
                     .committed = d->committed,
                     .events = d->events};
  for (size_t i = 0; i < d->events.count; i++)
    take_event(d, arena, &d->events.rows[i]);
  judge(d, arena);
}

/* The first decider as what a person trusts, or does not. */
static void ask_trust(ho_project *project, ho_deciders *d)
{
  char print[HO_FINGERPRINT_SIZE];
  ho_arena *arena = project->arena;
  if (!project->trust || !d->count)
    return;
  const ho_decider_line *first = &d->rows[0].added;
  const ho_node *known = project->trust->values[HO_TRUST_DECIDERS];
  if (!known || !ho_str_eq(ho_map_str(known, "key"), first->key) ||
      !ho_str_eq(ho_map_str(known, "first"), first->name) || !ho_str_eq(ho_map_str(known, "project"), first->project)) {
    ho_keypair_fingerprint(first->key, print);
    ho_node *value = ho_node_new(arena, HO_KIND_MAP);
    ho_map_put(arena, value, "first", ho_arena_copy(arena, first->name));
    ho_map_put(arena, value, "fingerprint", ho_arena_copy(arena, ho_str_of(print)));
    ho_map_put(arena, value, "key", ho_arena_copy(arena, first->key));
    ho_map_put(arena, value, "project", ho_arena_copy(arena, first->project));
    project->trust->values[HO_TRUST_DECIDERS] = value;
  }
  d->confirmed = ho_trust_of(project->trust, HO_TRUST_DECIDERS) == HO_TRUST_GIVEN;
}

ho_code ho_deciders_load(ho_project *project, ho_arena *arena, ho_deciders *out, ho_error *err)
{
  *out = (ho_deciders){0};
  out->pin = ho_deciders_read_file(arena, ho_deciders_pin_path(project, arena));
  out->file = ho_deciders_read_file(arena, ho_fs_join(arena, project->home, HO_STR(HO_PATH_DECIDERS)));
  ho_code code = HO_OK;
  if (project->store)
    code = ho_events_whole(project->store, HO_EVENTS_PROJECT, arena, &out->events, err);
  if (!code) {
    find_deciders(out, arena);
    ask_trust(project, out);
  }
  return code ? code : ho_arena_code(arena, err);
}

void ho_deciders_ask_git(ho_project *project, ho_arena *arena, ho_deciders *deciders)
{
  ho_str text;
  if (deciders->asked_git)
    return;
  deciders->asked_git = true;
  if (!ho_git_committed(arena, project->home, HO_PATH_DECIDERS, &text))
    return;
  deciders->committed = ho_deciders_parse(arena, text);
  find_deciders(deciders, arena);
  if (deciders->required || !deciders->committed.count)
    return;
  deciders->required = true;
  deciders->doubt = HO_STR("the newest commit has " HO_PATH_DECIDERS
                           ", which is missing here; run: git checkout -- " HO_PATH_DECIDERS);
}
