/* ledger_gates_bench FOLDER DOCUMENT COUNT: hands DOCUMENT (a package to `human`) over COUNT times, decides each gate and
 * claims what was approved. Prints one JSON object: the medians in microseconds, and the bytes that are stored then. */
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

#include "engine/ledger/claim.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/send.h"
#include "engine/ledger/gate_decide.h"
#include "engine/project/project.h"

static ho_str raise_gate(ho_project *project, ho_arena *arena, ho_str text)
{
  ho_send in = {.project = project, .arena = arena, .path = HO_STR("-"), .text = text};
  ho_code code = ho_send_read(&in, &err);
  if (in.seen.refused && in.seen.doc.report.count)
    fprintf(stderr, "%.*s\n", HO_ARG(in.seen.doc.report.items[0].message));
  must(code);
  must(ho_send_record(&in, &err));
  return in.made.gate;
}

/* Somebody is there; the project has no deciders. */
static ho_code present(void *world, ho_error *none)
{
  (void)world;
  (void)none;
  return HO_OK;
}

static void resume(ho_project *project, ho_arena *arena, ho_str gate)
{
  const ho_person person = {.present = present};
  ho_decision decision = {.person = &person, .gate = gate, .decision = HO_DECISION_APPROVE};
  ho_delivery delivery = {0};
  ho_project agent = *project;
  agent.agent = agent.name = agent.actor = HO_STR("estimation");
  must(ho_gate_decide(project, arena, &decision, &err));
  must(ho_claim_next(&agent, arena, &delivery, &err));
  if (!delivery.found || !delivery.body.n)
    exit(2);
}

static long long stored(ho_arena *arena, ho_str root)
{
  ho_fs_list files;
  struct stat info;
  long long bytes = 0;
  must(ho_fs_walk(arena, root.p, NULL, &files, &err));
  for (size_t i = 0; i < files.count; i++)
    bytes += stat(files.paths[i], &info) == 0 ? (long long)info.st_size : 0;
  if (stat(ho_arena_printf(arena, "%s/.handoff/handoff.db", root.p).p, &info) == 0)
    bytes += info.st_size; /* hidden folders are not walked */
  return bytes;
}

int main(int argc, char **argv)
{
  ho_arena arena;
  ho_project project;
  ho_str text;
  if (argc != 4)
    return 2;
  size_t count = (size_t)atoi(argv[3]);
  double *to_gate = calloc(count, sizeof *to_gate), *to_resume = calloc(count, sizeof *to_resume);
  if (!to_gate || !to_resume)
    return 2;
  ho_arena_init(&arena, 0);
  ho_str root = ho_arena_printf(&arena, "%s/ours", argv[1]);
  must(ho_fs_mkdirs(ho_arena_printf(&arena, "%s/.handoff", root.p).p, &err));
  must(ho_fs_read(&arena, argv[2], 0, &text, &err));
  project = (ho_project){.arena = &arena, .root = root, .clock_ms = clock_ms};
  must(ho_project_open(&project, HO_OPEN_CREATE, &err));
  for (size_t i = 0; i < count; i++) {
    ho_arena scratch;
    ho_arena_init(&scratch, 0);
    ho_str numbered = ho_arena_printf(&scratch, "%.*s  x_number: %zu\n", HO_ARG(text), i);
    double begin = now_us();
    ho_str gate = raise_gate(&project, &scratch, numbered);
    double raised = now_us();
    resume(&project, &scratch, gate);
    to_gate[i] = raised - begin;
    to_resume[i] = now_us() - raised;
    ho_arena_free(&scratch);
  }
  ho_project_close(&project);
  printf("{\"gate\": %.1f, \"resume\": %.1f, \"bytes\": %lld}\n", median(to_gate, count), median(to_resume, count),
         stored(&arena, root));
  ho_arena_free(&arena);
  free(to_gate);
  free(to_resume);
  return 0;
}
