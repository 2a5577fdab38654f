/* How far the store has ever got: its newest event, and the highest ids that it gave, kept in the file of the queue's
 * locks.
 *
 * A database can be replaced by a backup, or lose its log; that file stays where it is. So whoever writes next sees that
 * the store is older than what was recorded in it: it says so from then on (ho_store_behind), and gives no id again. The
 * number of the newest event alone does not show that: a store that was made again from files has fewer events than a
 * backup from before. So its hash has to be there, too.
 *
 * What is kept was synced before, so it never knows more than a store that a power cut has left; killed before it is
 * written, it knows one transaction less. It costs no sync, and no look at a folder. */
#include <fcntl.h>
#include <unistd.h>

#include "store/columns.h"

#define MARK "HOREACH2"
#define KEPT "store.reached" /* in the store: it has such a file */
#define BEHIND "store.behind"
enum { PLACE = 512 }; /* behind what those who hold a lock write */

static bool read_file(int file, ho_reached *out)
{
  bool whole = file >= 0 && pread(file, out, sizeof *out, PLACE) == (ssize_t)sizeof *out &&
               memcmp(out->mark, MARK, sizeof out->mark) == 0;
  for (size_t i = 0; whole && i < HO_COUNT(out->given); i++)
    if (out->given[i].next < 0 || out->given[i].next >= INT32_MAX)
      out->given[i].next = 0;
  if (!whole) {
    *out = (ho_reached){0};
    memcpy(out->mark, MARK, sizeof out->mark);
  }
  return whole;
}

static void write_file(int file, const ho_reached *reached)
{
  if (file >= 0 && pwrite(file, reached, sizeof *reached, PLACE) != (ssize_t)sizeof *reached)
    (void)!ftruncate(file, PLACE); /* the disk is full: better none than half of it */
}

typedef struct event_print {
  int64_t event; /* 0: none */
  char print[16];
} event_print;

static ho_code take_print(void *data, const ho_value *columns, ho_error *err)
{
  event_print *out = data;
  (void)err;
  out->event = columns[0].i;
  memcpy(out->print, columns[1].s.p, columns[1].s.n < sizeof out->print ? columns[1].s.n : sizeof out->print);
  return HO_OK;
}

/* The newest event up to this one. */
static ho_code event_at(ho_store *store, int64_t at, event_print *out, ho_error *err)
{
  *out = (event_print){0};
  return HO_RUN(store, HO_SQL_EVENT_PRINTS, take_print, out, NULL, err, HO_INT(at));
}

/* Does the store lack the event that it has reached? */
static ho_code lacks(ho_store *store, const ho_reached *reached, const event_print *newest, bool *out, ho_error *err)
{
  static const char none[sizeof reached->print];
  event_print there = *newest;
  ho_code code = reached->event < newest->event ? event_at(store, reached->event, &there, err) : HO_OK;
  *out = !code && reached->event &&
         (there.event != reached->event || (memcmp(reached->print, none, sizeof none) != 0 &&
                                            memcmp(there.print, reached->print, sizeof there.print) != 0));
  return code;
}

static ho_code has_note(ho_store *store, const char *name, bool *out, ho_error *err)
{
  ho_one_number there = {0};
  ho_code code = HO_RUN(store, HO_SQL_META_HAS, ho_columns_take_number, &there, NULL, err, HO_TEXT(ho_str_of(name)));
  *out = there.found;
  return code;
}

static ho_code set_note(ho_store *store, const char *name, const char *value, ho_error *err)
{
  return HO_RUN(store, HO_SQL_META_SET, NULL, NULL, NULL, err, HO_TEXT(ho_str_of(name)), HO_TEXT(ho_str_of(value)));
}

/* ---- In a transaction */

ho_code ho_reached_begin(ho_store *store, ho_error *err)
{
  ho_reached *now = &store->reached;
  bool whole = read_file(store->lock, now), had = false, behind = false;
  event_print newest;
  ho_code code = event_at(store, INT64_MAX, &newest, err);
  if (!code)
    code = lacks(store, now, &newest, &behind, err);
  store->perhaps_behind = false;
  store->adopts = !whole || now->database != store->database;
  if (!code && behind)
    code = set_note(store, BEHIND, "1", err);
  if (!code && !whole)
    code = has_note(store, KEPT, &had, err);
  store->unnoted = !whole && !had;
  store->perhaps_behind = !code && had && newest.event > 0;
  now->event = store->begun_at = newest.event;
  memcpy(now->print, newest.print, sizeof now->print);
  memcpy(store->begun_print, newest.print, sizeof store->begun_print);
  now->database = store->database;
  return code;
}

static ho_given *find(ho_reached *reached, ho_str scope)
{
  ho_given *free_one = NULL;
  for (size_t i = 0; i < HO_COUNT(reached->given); i++) {
    ho_given *given = &reached->given[i];
    if (!given->scope[0] && !free_one)
      free_one = given;
    else if (strnlen(given->scope, sizeof given->scope) == scope.n && memcmp(given->scope, scope.p, scope.n) == 0)
      return given;
  }
  return free_one;
}

int64_t ho_reached_next(ho_store *store, ho_str scope)
{
  const ho_given *given = scope.n < sizeof given->scope ? find(&store->reached, scope) : NULL;
  return given && given->scope[0] ? given->next : 0;
}

static void raise_one(ho_reached *reached, ho_str scope, int64_t next)
{
  ho_given *given = scope.n && scope.n < sizeof given->scope ? find(reached, scope) : NULL;
  if (!given)
    return;
  memcpy(given->scope, scope.p, scope.n);
  if (given->next < next)
    given->next = next;
}

void ho_reached_give(ho_store *store, ho_str scope, int64_t next)
{
  raise_one(&store->reached, scope, next);
}

ho_code ho_reached_worked(ho_store *store, ho_error *err)
{
  ho_code code = store->unnoted ? set_note(store, KEPT, "1", err) : HO_OK;
  event_print newest = {0};
  store->unnoted = false;
  if (!code)
    code = event_at(store, INT64_MAX, &newest, err);
  store->reached.event = newest.event;
  memcpy(store->reached.print, newest.print, sizeof newest.print);
  return code;
}

/* ---- After it */

void ho_reached_adopt(ho_store *store)
{
  ho_reached now = store->reached;
  now.event = store->begun_at; /* the rest is not synced yet */
  memcpy(now.print, store->begun_print, sizeof now.print);
  if (store->adopts)
    write_file(store->lock, &now);
  store->adopts = false;
}

/* Others may have got further meanwhile, or have replaced the store. */
void ho_reached_keep(ho_store *store)
{
  ho_reached there, *now = &store->reached;
  bool more = false;
  if (!read_file(store->lock, &there) || there.database != now->database)
    return;
  for (size_t i = 0; i < HO_COUNT(now->given); i++) {
    ho_str scope = {now->given[i].scope, strnlen(now->given[i].scope, sizeof now->given[i].scope)};
    const ho_given *before = scope.n ? find(&there, scope) : NULL;
    if (before && before->next < now->given[i].next) {
      raise_one(&there, scope, now->given[i].next);
      more = true;
    }
  }
  if (more || there.event < now->event) {
    if (there.event < now->event) {
      there.event = now->event;
      memcpy(there.print, now->print, sizeof there.print);
    }
    write_file(store->lock, &there);
  }
}

void ho_reached_anew(const ho_store *store)
{
  ho_reached there;
  struct stat info;
  int file = ho_fs_open_beside(store->lock_path, O_RDWR);
  if (read_file(file, &there)) {
    there.database = ho_fs_stat(store->path, &info) == 0 ? (int64_t)info.st_ino : 0;
    there.event = 0;
    memset(there.print, 0, sizeof there.print);
    write_file(file, &there);
  }
  if (file >= 0)
    close(file);
}

/* ---- Asking */

ho_code ho_store_behind(ho_store *store, ho_behind *out, ho_error *err)
{
  ho_reached there;
  bool noted = false, kept = false, behind = false;
  event_print newest;
  *out = HO_BEHIND_NOT;
  if (store->writing) { /* it was seen when that began */
    ho_code known = store->perhaps_behind ? HO_OK : has_note(store, BEHIND, &noted, err);
    *out = store->perhaps_behind ? HO_BEHIND_PERHAPS : noted ? HO_BEHIND : HO_BEHIND_NOT;
    return known;
  }
  int file = ho_fs_open_beside(store->lock_path, O_RDONLY);
  bool whole = read_file(file, &there); /* before the events: others go on */
  if (file >= 0)
    close(file);
  ho_code code = event_at(store, INT64_MAX, &newest, err);
  if (!code)
    code = lacks(store, &there, &newest, &behind, err);
  if (!code)
    code = has_note(store, BEHIND, &noted, err);
  if (!code && !whole)
    code = has_note(store, KEPT, &kept, err);
  if (!code && (noted || behind))
    *out = HO_BEHIND;
  else if (!code && kept && newest.event)
    *out = HO_BEHIND_PERHAPS;
  return code;
}

ho_code ho_store_set_behind(ho_store *store, bool behind, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  return code ? code : set_note(store, BEHIND, behind ? "1" : "", err);
}
