/* What a call through libhandoff costs against the functions that the program itself calls, and how many documents
 * `fix` mends in a second on one core. */
#include <handoff.h>

#include "model/fix/fix.h"
#include "model/document/read.h"

enum { ROUNDS = 3000, TURNS = 5 };

int main(int argc, char **argv);

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static ho_str load(ho_arena *arena, const char *path)
{
  FILE *file = fopen(path, "rb");
  char *text = ho_arena_alloc(arena, 1 << 20);
  size_t n = file && text ? fread(text, 1, 1 << 20, file) : 0;
  if (file)
    fclose(file);
  return (ho_str){text, n};
}

static void own_path(ho_str path, ho_str text)
{
  ho_arena arena;
  ho_doc doc;
  ho_error err;
  ho_check_env env = {.path = path};
  ho_arena_init(&arena, 0);
  if (ho_doc_read(&doc, &arena, path, text, NULL, &err) || ho_doc_check(&doc, &env, &err))
    exit(1);
  ho_arena_free(&arena);
}

static void through_library(ho_str path, ho_str text)
{
  handoff_document *document;
  if (handoff_document_parse(&document, path.p, text.p, text.n, NULL, NULL))
    exit(1);
  handoff_document_check(document, 0, NULL);
  handoff_document_free(document);
}

static void fix(ho_str path, ho_str text)
{
  ho_arena arena;
  ho_doc doc;
  ho_error err;
  ho_fixed fixed;
  ho_fix_env env = {.check = {.path = path}, .root = HO_EMPTY, .details = HO_EMPTY, .old_details = HO_EMPTY};
  ho_arena_init(&arena, 0);
  if (ho_doc_read(&doc, &arena, path, text, NULL, &err) || ho_doc_check(&doc, &env.check, &err) ||
      ho_fix(&doc, &env, &arena, &fixed, &err) || !fixed.changed)
    exit(1);
  ho_arena_free(&arena);
}

/* The best of several turns: what disturbs a run only makes it slower. */
static double per_second(void (*work)(ho_str path, ho_str text), ho_str path, ho_str text)
{
  double best = 1e9;
  for (int turn = 0; turn < TURNS; turn++) {
    double begin = seconds();
    for (int i = 0; i < ROUNDS; i++)
      work(path, text);
    double taken = seconds() - begin;
    best = taken < best ? taken : best;
  }
  return ROUNDS / best;
}

int main(int argc, char **argv)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  if (argc != 3)
    return 2;
  ho_str good = load(&arena, argv[1]), messy = load(&arena, argv[2]);
  double own = per_second(own_path, HO_STR("package.yaml"), good);
  double library = per_second(through_library, HO_STR("package.yaml"), good);
  printf("read and check, the program's own path:  %8.0f documents per second and core\n", own);
  printf("read and check, through the library:     %8.0f = %.2f of it\n", library, library / own);
  double fixed = per_second(fix, HO_STR("phase-2-handoff-20260309.md"), messy);
  printf("fix of a messy phase handoff:            %8.0f documents per second and core (at least 1000)%s\n", fixed,
         fixed < 1000 ? "  TOO SLOW" : "");
  ho_arena_free(&arena);
  return fixed < 1000;
}
