/* For tests in other languages: YAML on standard input becomes JSON on standard output, with -w JSON becomes YAML.
 * Findings and errors go to standard error, one a line; the exit status is that of the code. */
#include "base/limits.h"
#include "doc/json/json.h"
#include "doc/yaml/yaml.h"

static ho_str read_all(ho_arena *arena)
{
  size_t room = HO_LIMIT_DOCUMENT + 1;
  char *bytes = ho_arena_alloc(arena, room);
  return (ho_str){bytes, bytes ? fread(bytes, 1, room, stdin) : 0};
}

static void print_findings(const ho_report *report)
{
  for (size_t i = 0; i < report->count; i++)
    fprintf(stderr, "%u:%u: %s: %.*s\n", report->items[i].line, report->items[i].column, report->items[i].rule->id,
            HO_ARG(report->items[i].message));
}

static ho_code run(bool writes, ho_arena *arena, ho_buf *out, ho_error *err)
{
  ho_source source;
  ho_report report;
  ho_node *root;
  ho_code code = ho_source_init(&source, arena, HO_STR("-"), read_all(arena), err);
  if (code)
    return code;
  ho_report_init(&report, arena, &source);
  code = writes ? ho_json_read(&source, 0, arena, &report, &root, err)
                : ho_yaml_read(&source, 0, (uint32_t)source.text.n, arena, &report, &root, err);
  print_findings(&report);
  if (code)
    return code;
  if (writes)
    ho_yaml_write(out, root);
  else
    ho_json_write(out, root, 0);
  return ho_buf_code(out, err);
}

int main(int argc, char **argv)
{
  ho_arena arena;
  ho_buf out;
  ho_error err;
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 0);
  ho_code code = run(argc > 1 && strcmp(argv[1], "-w") == 0, &arena, &out, &err);
  fwrite(out.p, 1, out.n, stdout);
  if (code)
    fprintf(stderr, "%u:%u: %s\n", err.line, err.column, err.message);
  ho_buf_free(&out);
  ho_arena_free(&arena);
  return ho_code_exit(code);
}
