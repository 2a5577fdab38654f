/* verify_bench FOLDER [MOST]: how `verify` grows with the number of handoffs, ten times more at each turn up to MOST
 * (1,000,000), and how long its quick form takes. Every handoff has three events and a copy in the archive. Exits 1 if a
 * limit of the project is missed. */
#include "bench.h"

#include "base/digest.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/verify.h"
#include "store/handoffs/files.h"
#include "engine/project/project.h"
#include "store/handoffs/handoffs.h"

enum { FIRST = 10000, BATCH = 5000, IN_FOLDER = 1000 };

typedef struct filling {
  ho_project *project;
  ho_arena arena;
  unsigned from, to;
} filling;

/* Writes the copy, and records it. */
static ho_code add_copy(filling *f, ho_store *store, unsigned i, const ho_handoff *row, ho_str *digest, ho_error *e)
{
  char hash[HO_DIGEST_SIZE];
  ho_str path = ho_arena_printf(&f->arena, ".project/copies/%u/%u.yaml", i / IN_FOLDER, i);
  ho_str full = ho_fs_join(&f->arena, f->project->root, path);
  ho_str text = ho_arena_printf(&f->arena, "# a copy of %.*s\n", HO_ARG(row->id));
  ho_digest_text(text, hash);
  *digest = ho_arena_copy(&f->arena, ho_str_of(hash));
  ho_file file = {
      .handoff = row->id, .path = path, .digest = *digest, .kind = HO_FILE_ARCHIVE, .size = (int64_t)text.n};
  if (i % IN_FOLDER == 0)
    must(ho_fs_mkdirs(ho_arena_z(&f->arena, ho_fs_parent(full)), &err));
  must(ho_fs_write(full.p, text, HO_FS_CACHE, &err));
  return ho_files_put(store, &file, e);
}

static ho_code fill_one(filling *f, ho_store *store, unsigned i, ho_error *e)
{
  ho_str digest;
  ho_str body = ho_arena_printf(&f->arena, "summary: part%u word%u word%u word%u\n", i, random_number(4000),
                                random_number(4000), random_number(4000));
  ho_handoff row = {.id = ho_arena_printf(&f->arena, "HO-2026-%03u", i + 1),
                    .kind = HO_STR("package"),
                    .type = HO_STR("sequential"),
                    .state = HO_STR("ready"),
                    .sender = HO_STR("planner"),
                    .receiver = ho_arena_printf(&f->arena, "agent%u", i % 10),
                    .session = HO_STR("local-20260212"),
                    .created = 1770000000000,
                    .updated = 1770000000000};
  ho_event sent = {.at = row.created, .actor = HO_STR("planner"), .kind = HO_STR("sent"), .data = HO_STR("{}")};
  ho_event claimed = {.at = row.created, .actor = HO_STR("coder"), .kind = HO_STR("claimed"), .data = HO_STR("{}")};
  ho_event archived = {.at = row.created, .actor = HO_STR("coder"), .kind = HO_STR("archived")};
  ho_code code = ho_handoffs_add(store, &row, body, &sent, &f->arena, e);
  if (code)
    return code;
  row.state = HO_STR("claimed");
  code = ho_handoffs_change(store, &row, HO_STR("ready"), &claimed, &f->arena, e);
  if (!code)
    code = add_copy(f, store, i, &row, &digest, e);
  if (code)
    return code;
  row.state = HO_STR("archived");
  archived.data = ho_arena_printf(&f->arena, "{\"archive\":\"%.*s\"}", HO_ARG(digest));
  return ho_handoffs_change(store, &row, HO_STR("claimed"), &archived, &f->arena, e);
}

static ho_code fill(ho_store *store, void *data, ho_error *e)
{
  filling *f = data;
  ho_code code = HO_OK;
  for (unsigned i = f->from; !code && i < f->to; i++) {
    ho_arena_reset(&f->arena);
    code = fill_one(f, store, i, e);
  }
  return code;
}

static double verify(ho_project *project, bool quick)
{
  ho_arena arena;
  ho_verdict verdict;
  ho_arena_init(&arena, 0);
  double begin = now_us();
  must(quick ? ho_verify_quick(project, &arena, &verdict, &err) : ho_verify(project, NULL, &arena, &verdict, &err));
  double took = (now_us() - begin) / 1e6;
  HO_EACH_CONST (item, verdict.differences) {
    fprintf(stderr, "%.*s\n", HO_ARG(ho_map_str(item, "message")));
    exit(2);
  }
  ho_arena_free(&arena);
  return took;
}

static void measure(const char *folder, unsigned total, double *whole, double *quick)
{
  ho_arena arena;
  char root[4096];
  ho_arena_init(&arena, 0);
  snprintf(root, sizeof root, "%s/verified-%u", folder, total);
  ho_project project = {
      .arena = &arena, .root = ho_arena_copy(&arena, ho_str_of(root)), .agent = HO_STR("coder"), .clock_ms = clock_ms};
  filling f = {.project = &project};
  ho_arena_init(&f.arena, 0);
  must(ho_fs_mkdirs(ho_fs_join(&arena, ho_str_of(root), HO_STR(".handoff")).p, &err));
  must(ho_project_open(&project, HO_OPEN_CREATE, &err));
  double begin = now_us();
  for (f.from = 0; f.from < total; f.from = f.to) {
    f.to = f.from + BATCH < total ? f.from + BATCH : total;
    must(ho_store_write(project.store, fill, &f, &err));
  }
  must(ho_derive(&project, HO_DERIVED_SEARCH, NULL, &err));
  double filled = (now_us() - begin) / 1e6;
  *whole = verify(&project, false);
  *quick = verify(&project, true);
  printf("%u handoffs, filled in %.1f s: verify %.2f s, verify --quick %.2f s\n", total, filled, *whole, *quick);
  ho_project_close(&project);
  ho_arena_free(&f.arena);
  ho_arena_free(&arena);
}

int main(int argc, char **argv)
{
  double before, whole, quick;
  char what[96];
  if (argc < 2) {
    fprintf(stderr, "usage: verify_bench FOLDER [MOST]\n");
    return 2;
  }
  unsigned most = argc > 2 ? (unsigned)atoi(argv[2]) : 1000000;
  measure(argv[1], FIRST, &before, &quick);
  for (unsigned total = FIRST * 10; total <= most; total *= 10, before = whole) {
    measure(argv[1], total, &whole, &quick);
    snprintf(what, sizeof what, "verify at %u against %u", total, total / 10);
    judge(what, whole / before, 12, false);
    snprintf(what, sizeof what, "seconds of verify --quick at %u", total);
    judge(what, quick, 1.5, false);
  }
  return missed;
}
