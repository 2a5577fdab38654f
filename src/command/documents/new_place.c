#include <dirent.h>

#include "base/fs.h"
#include "base/time.h"
#include "command/call.h"
#include "command/documents/new.h"
#include "command/ledger_call.h"
#include "doc/text/template.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"

static void put_absent(ho_node *map, const char *key, ho_node *value)
{
  ho_node *old = ho_map_getz(map, key);
  if (!old || ho_node_absent(old))
    ho_map_set(map, ho_str_of(key), value);
}

static void fill_from_options(ho_call *call, const ho_format *format, ho_node *root)
{
  static const char *const names[][2] = {{"task", "task"}, {"task", "task_id"}, {"phase", "phase"}, {"slug", "slug"}};
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    ho_str value = ho_id_plain(ho_arg_str(call, names[i][0]));
    if (value.n && ho_record_fieldz(format->root, names[i][1]))
      ho_map_set(root, ho_str_of(names[i][1]), ho_node_text(call->arena, value));
  }
}

static ho_node *now(ho_call *call, const ho_syntax *syntax)
{
  char text[HO_TIME_SIZE];
  int64_t ms = call->host->clock_ms(call->host->world);
  if (syntax == &ho_syntax_STAMP)
    ho_time_stamp(ms, text);
  else
    ho_time_text(ms, false, text);
  return ho_node_text(call->arena, ho_arena_copy(call->arena, ho_str_of(text)));
}

static void fill_field(ho_call *call, const ho_field *field, ho_node *map)
{
  bool needed = field->flags & (HO_REQUIRED | HO_EXPECTED);
  if (!needed || (field->flags & HO_GENERATED))
    return;
  if (field->syntax == &ho_syntax_TIME || field->syntax == &ho_syntax_STAMP)
    put_absent(map, field->name, now(call, field->syntax));
  else if (field->fallback && field->type != HO_T_LIST && field->type != HO_T_RECORD)
    put_absent(map, field->name, ho_fallback_node(call->arena, field));
  else if (field->type == HO_T_LIST && (field->flags & HO_MAY_BE_EMPTY))
    put_absent(map, field->name, ho_node_new(call->arena, HO_KIND_LIST));
}

/* Records that are there are filled like the document itself; the tables' own depth bounds this. */
static void fill_record(ho_call *call, const ho_record *record, ho_node *map)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    ho_node *child = ho_map_getz(map, field->name);
    if (field->type == HO_T_RECORD && ho_node_is(child, HO_KIND_MAP))
      fill_record(call, field->record, child);
    else
      fill_field(call, field, map);
  }
}

/* "HO-2024-001" → "HO"; empty if an example does not have that form. */
static ho_str id_prefix(ho_str example)
{
  size_t n = 0;
  while (n < example.n && isupper((unsigned char)example.p[n]))
    n++;
  ho_str rest = ho_str_sub(example, n, example.n);
  uint64_t number;
  bool fits = n && rest.n == 9 && rest.p[0] == '-' && rest.p[5] == '-' &&
              ho_str_to_u64(ho_str_sub(rest, 1, 5), &number) && ho_str_to_u64(ho_str_sub(rest, 6, 9), &number);
  return fits ? ho_str_sub(example, 0, n) : HO_EMPTY;
}

/* The greatest number N of files in the folder whose names hold `start` and then N. */
static uint64_t greatest(const char *folder, const char *start)
{
  uint64_t most = 0, number;
  DIR *dir = ho_fs_opendir(folder);
  if (!dir)
    return 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    const char *found = strstr(entry->d_name, start);
    ho_str digits = ho_str_of(found ? found + strlen(start) : "");
    size_t n = 0;
    while (n < digits.n && isdigit((unsigned char)digits.p[n]))
      n++;
    if (n && ho_str_to_u64(ho_str_sub(digits, 0, n), &number) && number > most)
      most = number;
  }
  closedir(dir);
  return most;
}

/* The first number of ids that begin so which the ledger has not given; 1 if there is no ledger that can be asked. */
static uint64_t next_in_ledger(ho_call *call, ho_str start)
{
  int64_t next = 1;
  ho_error none = {0};
  if (ho_open_ledger(call, false, &none) ||
      ho_store_id_next(call->project.store, ho_str_sub(start, 0, start.n - 1), &next, &none))
    return 1;
  return (uint64_t)next;
}

static void fill_id(ho_call *call, const ho_format *format, ho_node *root)
{
  const ho_field *field = ho_record_fieldz(format->root, "id");
  ho_str prefix = field ? id_prefix(ho_str_of(field->example)) : HO_EMPTY;
  char year[HO_TIME_SIZE];
  if (!prefix.n || !(field->flags & (HO_REQUIRED | HO_EXPECTED)))
    return;
  ho_time_stamp(call->host->clock_ms(call->host->world), year);
  ho_str start = ho_arena_printf(call->arena, "%.*s-%.4s-", HO_ARG(prefix), year);
  ho_str folder = ho_fs_join(call->arena, call->host->root, ho_fs_parent(ho_str_of(format->place)));
  uint64_t unwritten = greatest(folder.p, start.p) + 1, unsent = next_in_ledger(call, start);
  ho_str id = ho_arena_printf(call->arena, "%.*s%03llu", HO_ARG(start),
                              (unsigned long long)(unwritten > unsent ? unwritten : unsent));
  put_absent(root, "id", ho_node_text(call->arena, id));
}

void ho_new_fill(ho_call *call, const ho_format *format, ho_node *root)
{
  fill_from_options(call, format, root);
  fill_record(call, format->root, root);
  if (format->place)
    fill_id(call, format, root);
}

/* The slug of the one folder specs/{task}_{slug} that is there, or "". */
static ho_str find_slug(ho_call *call, ho_str task)
{
  ho_str found = HO_EMPTY, start = ho_arena_printf(call->arena, "%.*s_", HO_ARG(task));
  DIR *dir = ho_fs_opendir(ho_fs_join(call->arena, call->host->root, HO_STR(HO_PATH_SPECS)).p);
  size_t count = 0;
  if (!dir)
    return HO_EMPTY;
  for (struct dirent *entry; (entry = readdir(dir));)
    if (ho_str_starts(ho_str_of(entry->d_name), start.p)) {
      found = ho_arena_copy(call->arena, ho_str_of(entry->d_name + start.n));
      count++;
    }
  closedir(dir);
  return count == 1 ? found : HO_EMPTY;
}

/* The names that a place can hold: the document's own, and the options. */
static ho_node *place_values(ho_call *call, const ho_node *root)
{
  static const char *const options[] = {"task", "slug", "phase"};
  ho_node *values = ho_node_copy(call->arena, root);
  for (size_t i = 0; i < HO_COUNT(options); i++) {
    ho_str value = ho_id_plain(ho_arg_str(call, options[i]));
    if (value.n)
      ho_map_set(values, ho_str_of(options[i]), ho_node_text(call->arena, value));
  }
  ho_str task = ho_map_str(values, "task");
  ho_str slug = task.n && !ho_map_getz(values, "slug") ? find_slug(call, task) : HO_EMPTY;
  if (slug.n)
    ho_map_addz(values, "slug", ho_node_text(call->arena, slug));
  return values;
}

ho_code ho_new_place(ho_call *call, const ho_format *format, const ho_node *root, ho_str *out, ho_error *err)
{
  ho_buf path;
  ho_error inner = {0};
  if (!format->place)
    return ho_fail(err, HO_USAGE, "format '%s' has no usual place; use --print", format->name);
  ho_buf_init(&path, 0);
  ho_code code = ho_template_write(&path, ho_str_of(format->place), place_values(call, root), HO_TEMPLATE_STRICT,
                                   ho_template_file_name, &inner);
  *out = ho_buf_move(&path, call->arena);
  if (!code)
    return ho_arena_code(call->arena, err);
  if (code != HO_NOT_FOUND)
    return ho_fail(err, code, "%s", inner.message);
  return ho_fail(err, HO_USAGE, "its path is %s, and not all of it is known; use --task, --slug or --phase",
                 format->place);
}
