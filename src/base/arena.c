#include "base/arena.h"

#include "base/limits.h"
#include "base/memory.h"

#ifdef HO_FAULT
enum { FIRST_BLOCK = 0, LARGEST_BLOCK = 0 };
#else
enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 18 };
#endif

struct ho_arena_block {
  struct ho_arena_block *next;
  size_t used, size;
  max_align_t bytes[];
};

void ho_arena_init(ho_arena *arena, size_t limit)
{
  *arena = (ho_arena){.limit = limit ? limit : HO_LIMIT_ARENA};
}

static void free_blocks(struct ho_arena_block *block)
{
  while (block) {
    struct ho_arena_block *next = block->next;
    ho_free(block);
    block = next;
  }
}

void ho_arena_free(ho_arena *arena)
{
  free_blocks(arena->head);
  *arena = (ho_arena){.limit = arena->limit};
}

void ho_arena_reset(ho_arena *arena)
{
  struct ho_arena_block *keep = arena->head;
  if (keep) {
    free_blocks(keep->next);
    keep->next = NULL;
    keep->used = 0;
  }
  arena->used = 0;
  arena->failed = HO_OK;
}

static struct ho_arena_block *grow(ho_arena *arena, size_t n)
{
  size_t size = arena->head ? arena->head->size * 2 : FIRST_BLOCK;
  if (size > LARGEST_BLOCK)
    size = LARGEST_BLOCK;
  if (size < n)
    size = n;
  struct ho_arena_block *block = ho_malloc(sizeof *block + size);
  if (!block) {
    arena->failed = HO_MEMORY;
    return NULL;
  }
  *block = (struct ho_arena_block){.next = arena->head, .size = size};
  arena->head = block;
  return block;
}

void *ho_arena_alloc(ho_arena *arena, size_t n)
{
  const size_t align = _Alignof(max_align_t);
  if (arena->failed)
    return NULL;
  if (n > arena->limit || arena->used > arena->limit - n) {
    arena->failed = HO_LIMIT;
    return NULL;
  }
  size_t room = (n ? n + align - 1 : align) / align * align;
  struct ho_arena_block *block = arena->head;
  if (!block || block->size - block->used < room) {
    block = grow(arena, room);
    if (!block)
      return NULL;
  }
  void *at = (char *)block->bytes + block->used;
  block->used += room;
  arena->used += room;
  return memset(at, 0, room);
}

void *ho_arena_array(ho_arena *arena, size_t count, size_t size)
{
  if (size && count > SIZE_MAX / 2 / size) {
    if (!arena->failed)
      arena->failed = HO_LIMIT;
    return NULL;
  }
  return ho_arena_alloc(arena, count * size);
}

ho_str ho_arena_copy(ho_arena *arena, ho_str s)
{
  char *to = ho_arena_alloc(arena, s.n + 1);
  if (!to)
    return HO_EMPTY;
  if (s.n)
    memcpy(to, s.p, s.n);
  return (ho_str){to, s.n};
}

const char *ho_arena_z(ho_arena *arena, ho_str s)
{
  return ho_arena_copy(arena, s).p;
}

ho_str ho_arena_vprintf(ho_arena *arena, const char *format, va_list args)
{
  char room[256]; /* enough for most */
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(room, sizeof room, format, args);
  char *to = n < 0 ? NULL : ho_arena_alloc(arena, (size_t)n + 1);
  if (to && (size_t)n < sizeof room)
    memcpy(to, room, (size_t)n);
  else if (to)
    vsnprintf(to, (size_t)n + 1, format, again);
  va_end(again);
  return to ? (ho_str){to, (size_t)n} : HO_EMPTY;
}

ho_str ho_arena_printf(ho_arena *arena, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  ho_str s = ho_arena_vprintf(arena, format, args);
  va_end(args);
  return s;
}

ho_code ho_arena_code(const ho_arena *arena, ho_error *err)
{
  if (arena->failed == HO_LIMIT)
    return ho_fail(err, HO_LIMIT, "needs more than %zu MiB of memory (limit arena)", arena->limit >> 20);
  return arena->failed ? ho_fail_memory(err) : HO_OK;
}
