/* Credentials: no crash; what is found lies in the text, in order. */
#include <assert.h>
#include <stdint.h>

#include "model/secrets/secrets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_arena arena;
  ho_str text = {(const char *)data, size};
  size_t count = 0, last = 0;
  ho_arena_init(&arena, 0);
  ho_secret_list list = ho_secret_find(text, &arena);
  for (size_t i = 0; i < list.count; i++) {
    assert(list.items[i].begin >= last && list.items[i].begin < list.items[i].end && list.items[i].end <= size);
    last = list.items[i].end;
  }
  ho_str clean = ho_secret_redact(text, &arena, &count);
  assert(arena.failed || count == list.count);
  assert(list.count || arena.failed || clean.p == text.p);
  (void)ho_secret_key(ho_str_sub(text, 0, size / 2), ho_str_sub(text, size / 2, size));
  ho_arena_free(&arena);
  return 0;
}
