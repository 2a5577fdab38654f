/* Opening, writing, finding, searching and verifying. In the fault build (HO_FAULT) that is done again and again, with
 * the first, the second, … allocation failing, SQLite's included: a clean error each time, and a sound store. */
#include "store/support.h"

#include "base/memory.h"
#include "store/handoffs/chain.h"
#include "store/handoffs/events.h"
#include "store/handoffs/seals.h"
#include "store/handoffs/search.h"

static ho_code work(ho_store *store, void *data, ho_error *err)
{
  ho_arena *arena = data;
  ho_event event = event_of("sent");
  ho_str id;
  ho_code code = ho_store_id(store, HO_STR("HO-2026"), arena, &id, err);
  if (code)
    return code;
  ho_handoff row = row_of(id);
  code = ho_handoffs_add(store, &row, HO_STR("words to find"), &event, arena, err);
  row.state = HO_STR("claimed");
  if (!code)
    code = ho_handoffs_change(store, &row, HO_STR("ready"), &event, arena, err);
  if (!code)
    code = ho_events_add(store, id, &event, err);
  if (!code)
    code = ho_store_intend(store, HO_STR("state.json"), id, HO_INTENT_DERIVED, err);
  if (!code)
    code = ho_seals_add(store, 1000, err);
  row.state = HO_STR("done");
  if (!code)
    code = ho_handoffs_get(store, id, arena, &row, err);
  return code ? code : ho_handoffs_remove(store, id, HO_STR("claimed"), &event, err);
}

static ho_code use(ho_store *store, ho_arena *arena, ho_error *err)
{
  ho_handoff_list list;
  ho_event_list events;
  ho_hit_list hits;
  flaws f = {0};
  ho_code code = ho_store_write(store, work, arena, err);
  if (!code)
    code = ho_handoffs_select(store, &(ho_filter){0}, arena, &list, err);
  if (!code)
    code = ho_events_select(store, HO_EMPTY, 0, 20, arena, &events, err);
  if (!code)
    code = ho_store_write(store, index_work, NULL, err);
  if (!code)
    code = ho_search(store, HO_STR("kept"), &(ho_filter){0}, arena, &hits, err);
  ho_buf_init(&f.text, 0);
  if (!code)
    code = ho_chain_verify(store, NULL, take_flaw, &f, err);
  if (!code && f.count)
    fail_msg("%s", f.text.p);
  ho_buf_free(&f.text);
  return code;
}

static ho_code run(place *p)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_code code = open_store(p, true);
  if (!code)
    code = use(p->store, &arena, &p->err);
  close_store(p);
  ho_arena_free(&arena);
  return code;
}

static void test_every_allocation(void **state)
{
  place *p = *state;
  ho_handoff row = row_of(HO_STR("HO-kept"));
  must(p, add(p, &row, "the one that is kept"));
  close_store(p);
  must(p, run(p));
#ifdef HO_FAULT
  ho_str image, seal;
  unsigned long n = 1;
  bool fired = true;
  must(p, ho_fs_read(&p->arena, p->path, 0, &image, &p->err));
  must(p, ho_fs_read(&p->arena, in(p, ".handoff/seal"), 0, &seal, &p->err));
  for (; fired; n++) {
    must(p, ho_fs_write(p->path, image, HO_FS_REPLACE, &p->err)); /* the same store each time */
    must(p, ho_fs_write(in(p, ".handoff/seal"), seal, HO_FS_REPLACE, &p->err));
    p->err = (ho_error){0};
    ho_fault_arm(n);
    ho_code code = run(p);
    fired = ho_fault_fired();
    ho_fault_arm(0);
    /* SQLite can do without some of its allocations; what fails, fails for want of memory. */
    if (code && code != HO_MEMORY)
      fail_msg("allocation %lu failed, but the result is %s: %s", n, ho_code_name(code), p->err.message);
    if (n % 8 == 0) {
      must(p, open_store(p, false));
      assert_sound(p);
      close_store(p);
    }
  }
  print_message("%lu allocations\n", n);
#endif
}

int main(void)
{
  if (access("/dev/shm", W_OK) == 0)
    place_base = "/dev/shm"; /* thousands of commits: memory is fast */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_every_allocation, begin_place, end_place),
  };
  return unit_run(tests);
}
