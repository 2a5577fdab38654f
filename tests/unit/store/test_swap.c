/* A new store in the place of an old one, under the eyes of those who have it open. */
#include "store/handoffs/handoffs.h"
#include "store/support.h"

static const ho_str kept_name = HO_STR_INIT("handoff.db.kept");

static ho_store_swap begin_swap(place *p)
{
  ho_store_swap swap;
  ho_store_options options = {.url = p->path, .root = p->folder};
  must(p, ho_store_swap_begin(&options, &p->arena, &swap, &p->err));
  return swap;
}

/* Fills the new store with one handoff. */
static void fill(place *p, ho_store_swap *swap, const char *id)
{
  place fresh = {0};
  ho_handoff row = row_of(ho_str_of(id));
  ho_store_options options = {.url = swap->fresh, .root = p->folder, .create = true};
  must(p, ho_store_open(&options, &fresh.store, &p->err));
  ho_arena_init(&fresh.arena, 0);
  adding a = {&fresh, &row, HO_STR("new body")};
  must(p, ho_store_write(fresh.store, add_work, &a, &p->err));
  ho_store_close(fresh.store);
  ho_arena_free(&fresh.arena);
}

static bool has(place *p, const char *id)
{
  ho_handoff row;
  ho_error err;
  return ho_handoffs_get(p->store, ho_str_of(id), &p->arena, &row, &err) == HO_OK;
}

static void add_one(place *p, const char *id)
{
  ho_handoff row = row_of(ho_str_of(id));
  adding a = {p, &row, HO_STR("body")};
  must(p, ho_store_write(p->store, add_work, &a, &p->err));
}

static void who_has_it_open_goes_on_with_the_new_one(void **state)
{
  place *p = *state;
  bool changed = false;
  add_one(p, "OLD-1");
  ho_store_swap swap = begin_swap(p);
  assert_true(swap.there && swap.readable);
  fill(p, &swap, "NEW-1");
  must(p, ho_store_swap_now(&swap, kept_name, &p->err));
  ho_store_swap_end(&swap);
  assert_true(has(p, "OLD-1")); /* what is only read may be the old one */
  must(p, ho_store_wait(p->store, 1000, &changed, &p->err));
  assert_true(changed && has(p, "NEW-1") && !has(p, "OLD-1"));
  add_one(p, "NEW-2");
  must(p, ho_store_reopen(p->store, &p->err)); /* nothing to do */
  place kept = {.arena = p->arena};
  ho_store_options options = {.url = in(p, ".handoff/handoff.db.kept"), .root = p->folder};
  must(p, ho_store_open(&options, &kept.store, &p->err));
  assert_true(has(&kept, "OLD-1") && !has(&kept, "NEW-2"));
  ho_store_close(kept.store);
  assert_false(ho_fs_exists(in(p, ".handoff/handoff.db.rebuild")));
}

static void a_write_that_was_prepared_goes_to_the_new_one(void **state)
{
  place *p = *state;
  add_one(p, "OLD-1");
  ho_store_swap swap = begin_swap(p);
  fill(p, &swap, "NEW-1");
  must(p, ho_store_swap_now(&swap, kept_name, &p->err));
  ho_store_swap_end(&swap);
  add_one(p, "OLD-1"); /* its id is free in the new one */
  assert_true(has(p, "NEW-1") && has(p, "OLD-1"));
}

static void what_fails_leaves_the_old_one(void **state)
{
  place *p = *state;
  add_one(p, "OLD-1");
  ho_store_swap swap = begin_swap(p);
  assert_int_equal(ho_store_swap_now(&swap, kept_name, &p->err), HO_STORE); /* there is no new one */
  ho_store_swap_end(&swap);
  swap = begin_swap(p);
  fill(p, &swap, "NEW-1");
  assert_int_equal(mkdir(in(p, ".handoff/handoff.db.kept-wal"), 0700), 0); /* nothing can be moved there */
  assert_int_equal(ho_store_swap_now(&swap, kept_name, &p->err), HO_IO);
  ho_store_swap_end(&swap);
  close_store(p);
  must(p, open_store(p, false));
  assert_true(has(p, "OLD-1") && !has(p, "NEW-1"));
}

static void whoever_gives_up_changes_nothing(void **state)
{
  place *p = *state;
  add_one(p, "OLD-1");
  ho_store_swap swap = begin_swap(p);
  fill(p, &swap, "NEW-1");
  ho_store_swap_end(&swap);
  add_one(p, "OLD-2");
  assert_true(has(p, "OLD-1") && has(p, "OLD-2") && !has(p, "NEW-1"));
}

static ho_code use_ids(ho_store *store, void *data, ho_error *err)
{
  place *p = data;
  ho_str id;
  ho_code code = ho_store_id_used(store, HO_STR("HO-2026-041"), err);
  if (!code)
    code = ho_store_id_used(store, HO_STR("HO-2026-007"), err);
  if (!code)
    code = ho_store_id_used(store, HO_STR("no number"), err);
  if (!code)
    code = ho_store_id(store, HO_STR("HO-2026"), &p->arena, &id, err);
  if (!code)
    assert_str(id, "HO-2026-042");
  return code;
}

static void ids_that_were_given_are_passed_over(void **state)
{
  place *p = *state;
  must(p, ho_store_write(p->store, use_ids, p, &p->err));
  assert_int_equal(ho_store_id_used(p->store, HO_STR("HO-2026-041"), &p->err), HO_BUG);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_place, end_place)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(who_has_it_open_goes_on_with_the_new_one),
      TEST(a_write_that_was_prepared_goes_to_the_new_one),
      TEST(what_fails_leaves_the_old_one),
      TEST(whoever_gives_up_changes_nothing),
      TEST(ids_that_were_given_are_passed_over),
  };
  return unit_run(tests);
}
