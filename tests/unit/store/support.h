/* What the tests of the store share: a store in a temporary folder, and handoffs to put in. */
#ifndef HO_TESTS_STORE_SUPPORT_H
#define HO_TESTS_STORE_SUPPORT_H

#include "files.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/digest.h"
#include "store/handoffs/chain.h"
#include "store/handoffs/derived.h"
#include "store/handoffs/handoffs.h"
#include "store/handoffs/search.h"

typedef struct place {
  char folder[FOLDER_SIZE], path[96];
  ho_arena arena;
  ho_store *store;
  ho_error err;
} place;

UNUSED_OK static ho_code open_store(place *p, bool create)
{
  ho_store_options options = {.url = p->path, .root = p->folder, .create = create};
  return ho_store_open(&options, &p->store, &p->err);
}

UNUSED_OK static void close_store(place *p)
{
  ho_store_close(p->store);
  p->store = NULL;
}

/* Where the folder is made; a test that needs no disk may choose another. */
UNUSED_OK static const char *place_base = "/tmp";

UNUSED_OK static int begin_place(void **state)
{
  static place p;
  p = (place){0};
  folder_make(p.folder, place_base);
  snprintf(p.path, sizeof p.path, "%s/.handoff/handoff.db", p.folder);
  ho_arena_init(&p.arena, 0);
  must(&p, open_store(&p, true));
  *state = &p;
  return 0;
}

UNUSED_OK static int end_place(void **state)
{
  place *p = *state;
  close_store(p);
  ho_arena_free(&p->arena);
  return folder_remove(p->folder);
}

/* A path in the place's folder. */
UNUSED_OK static const char *in(place *p, const char *name)
{
  return ho_fs_join(&p->arena, ho_str_of(p->folder), ho_str_of(name)).p;
}

UNUSED_OK static ho_event event_of(const char *kind)
{
  return (ho_event){
      .at = 1000, .actor = HO_STR("planner"), .kind = ho_str_of(kind), .data = HO_STR("{\"why\":\"test\"}")};
}

UNUSED_OK static ho_handoff row_of(ho_str id)
{
  return (ho_handoff){
      .id = id,
      .kind = HO_STR("package"),
      .type = HO_STR("sequential"),
      .state = HO_STR("ready"),
      .sender = HO_STR("planner"),
      .receiver = HO_STR("coder"),
      .task = HO_STR("7"),
      .phase = HO_STR("2"),
      .session = HO_STR("s1"),
      .created = 1000,
      .updated = 1000,
  };
}

/* Adds one in a transaction of its own. */
typedef struct adding {
  place *p;
  ho_handoff *row;
  ho_str body;
} adding;

UNUSED_OK static ho_code add_work(ho_store *store, void *data, ho_error *err)
{
  adding *a = data;
  ho_event event = event_of("sent");
  return ho_handoffs_add(store, a->row, a->body, &event, &a->p->arena, err);
}

UNUSED_OK static ho_code add(place *p, ho_handoff *row, const char *body)
{
  adding a = {.p = p, .row = row, .body = ho_str_of(body)};
  return ho_store_write(p->store, add_work, &a, &p->err);
}

UNUSED_OK static ho_handoff added(place *p, const char *id, const char *body)
{
  ho_handoff row = row_of(ho_str_of(id));
  must(p, add(p, &row, body));
  return row;
}

/* Brings the search up to date, as whoever asks does. */
UNUSED_OK static ho_code index_work(ho_store *store, void *data, ho_error *err)
{
  int64_t after, newest;
  ho_code code = ho_derived_gap(store, HO_DERIVED_SEARCH, &after, &newest, err);
  (void)data;
  if (!code)
    code = ho_search_add(store, after, newest, err);
  return code ? code : ho_derived_set(store, HO_DERIVED_SEARCH, newest, err);
}

/* Changes one in a transaction of its own. */
typedef struct changing {
  place *p;
  ho_handoff *row;
  const char *from, *kind;
} changing;

UNUSED_OK static ho_code change_work(ho_store *store, void *data, ho_error *err)
{
  changing *c = data;
  ho_event event = event_of(c->kind);
  return ho_handoffs_change(store, c->row, ho_str_of(c->from), &event, &c->p->arena, err);
}

UNUSED_OK static ho_code change(place *p, ho_handoff *row, const char *from, const char *kind)
{
  changing c = {.p = p, .row = row, .from = from, .kind = kind};
  return ho_store_write(p->store, change_work, &c, &p->err);
}

/* The flaws that verifying finds, as "part name" lines. */
typedef struct flaws {
  ho_buf text;
  size_t count;
} flaws;

UNUSED_OK static ho_code take_flaw(void *data, const ho_flaw *flaw, ho_error *err)
{
  flaws *f = data;
  (void)err;
  f->count++;
  ho_buf_printf(&f->text, "%s %s: %s\n", flaw->part, flaw->name, flaw->message);
  return HO_OK;
}

UNUSED_OK static void assert_sound(place *p)
{
  flaws f = {0};
  ho_buf_init(&f.text, 0);
  must(p, ho_chain_verify(p->store, NULL, take_flaw, &f, &p->err));
  must(p, ho_chain_verify_seal_file(p->store, take_flaw, &f, &p->err));
  must(p, ho_chain_check_database(p->store, false, take_flaw, &f, &p->err));
  if (f.count)
    fail_msg("%s", f.text.p);
  ho_buf_free(&f.text);
}

/* Verifying finds something, and says so in these words. */
UNUSED_OK static void assert_flaw(place *p, const char *words)
{
  flaws f = {0};
  ho_buf_init(&f.text, 0);
  must(p, ho_chain_verify(p->store, NULL, take_flaw, &f, &p->err));
  must(p, ho_chain_verify_seal_file(p->store, take_flaw, &f, &p->err));
  if (!ho_str_has(ho_buf_str(&f.text), words))
    fail_msg("expected \"%s\", found:\n%s", words, f.text.p);
  ho_buf_free(&f.text);
}
#endif
