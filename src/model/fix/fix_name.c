/* What a file name reveals. */
#include "model/fix/fix.h"
#include "model/formats/artifact.h"
#include "model/formats/place.h"

ho_str ho_fix_details_name(ho_arena *arena, ho_str path)
{
  ho_str name = ho_place_name(path);
  if (ho_str_ends(name, ".md"))
    name.n -= 3;
  return ho_arena_printf(arena, "%.*s-details.md", HO_ARG(name));
}

/* The longest suffix of the name, after a dash or underscore, that is a time. */
static ho_str find_stamp(ho_str name)
{
  char stamp[17];
  for (size_t i = 1; i < name.n; i++) {
    ho_str tail = ho_str_sub(name, i, name.n);
    if ((name.p[i - 1] == '-' || name.p[i - 1] == '_') && tail.n >= 8 && ho_stamp_read(tail, stamp, NULL))
      return tail;
  }
  return HO_EMPTY;
}

/* "3", "6a", "B"; up to "-handoff" also "2-3". */
static ho_str find_phase(ho_str name)
{
  size_t at = ho_str_find(name, "phase");
  ho_str rest = at == HO_NONE ? HO_EMPTY : ho_str_sub(name, at + 5, name.n);
  if (rest.n && (rest.p[0] == '-' || rest.p[0] == '_'))
    rest = ho_str_sub(rest, 1, rest.n);
  size_t handoff = ho_str_find(rest, "-handoff"), n = 0;
  ho_str whole = ho_str_sub(rest, 0, handoff == HO_NONE ? 0 : handoff);
  if (whole.n && whole.n < 16 && ho_artifact_phase(whole) == whole.n)
    return whole;
  while (n < rest.n && isdigit((unsigned char)rest.p[n]))
    n++;
  n += n < rest.n && isalpha((unsigned char)rest.p[n]);
  bool ends = n == rest.n || !isalnum((unsigned char)rest.p[n]);
  return n && ends && isdigit((unsigned char)rest.p[0]) ? ho_str_sub(rest, 0, n) : HO_EMPTY;
}

void ho_fix_name_facts(ho_str path, ho_str *phase, ho_str *stamp)
{
  ho_str name = ho_place_name(path);
  if (ho_str_ends(name, ".md"))
    name.n -= 3;
  *phase = find_phase(name);
  *stamp = find_stamp(name);
}
