#include "model/formats/place.h"
#include "model/lex.h"
#include "model/syntax.h"

bool ho_place_known(ho_str path)
{
  return ho_str_find_char(path, '/') != HO_NONE;
}

/* Takes the last name off the path. */
static ho_str take_last(ho_str *path)
{
  size_t from = path->n;
  while (from > 0 && path->p[from - 1] != '/') {
    from--;
  }
  ho_str name = ho_str_sub(*path, from, path->n);
  *path = ho_str_sub(*path, 0, from ? from - 1 : 0);
  return name;
}

ho_str ho_place_name(ho_str path)
{
  return take_last(&path);
}

bool ho_place_between(ho_str name, const char *before, const char *after, ho_str *out)
{
  size_t around = strlen(before) + strlen(after);
  if (name.n <= around || !ho_str_starts(name, before) || !ho_str_ends(name, after)) {
    return false;
  }
  *out = ho_str_sub(name, strlen(before), name.n - strlen(after));
  return true;
}

/* Takes the last name off, and then the folder in which handoffs of finished phases are put away. */
static void take_file(ho_str *path)
{
  take_last(path);
  ho_str above = *path;
  bool away = ho_str_is(take_last(&above), "archive");
  ho_str folder = above;
  if (away && ho_str_is(take_last(&folder), "handoffs")) {
    *path = above;
  }
}

const char *ho_place_problem(ho_str path, const char *below)
{
  take_file(&path);
  if (below && !ho_str_is(take_last(&path), below)) {
    return "is in a folder with another name";
  }
  ho_str folder = take_last(&path);
  bool padded = ho_str_starts(folder, "0");
  size_t digits = ho_lex_digits(&folder), bar = ho_str_find_char(folder, '_');
  if (bar != HO_NONE && bar > 0 && ho_str_is(ho_str_sub(folder, bar, folder.n), HO_PLACE_UNNUMBERED)) {
    return NULL;
  }
  if (digits == 0 || !ho_lex_any(&folder, "_")) {
    return "is not in a task folder {N}_{SLUG}";
  }
  if (padded) {
    return "is in a task folder whose number is padded with zeros";
  }
  return ho_syntax_SLUG.matches(folder) ? NULL : "is in a task folder whose slug is not snake_case";
}

/* The number of a task folder by its name. */
static ho_str number_of(ho_str folder)
{
  ho_str rest = folder;
  size_t digits = ho_lex_digits(&rest), zeros = 0;
  while (zeros + 1 < digits && folder.p[zeros] == '0') {
    zeros++;
  }
  return ho_str_starts(rest, "_") ? ho_str_sub(folder, zeros, digits) : HO_EMPTY;
}

ho_str ho_place_task(ho_str path)
{
  take_last(&path);
  return number_of(take_last(&path));
}

ho_str ho_place_task_around(ho_str path)
{
  take_file(&path);
  ho_str folder = take_last(&path), number = number_of(take_last(&path));
  return number.n ? number : number_of(folder);
}
