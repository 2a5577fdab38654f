#include "store/runs/runs.h"

/* What stands before and after the last such character. */
static bool split_last(ho_str text, char at, ho_str *before, ho_str *after)
{
  for (size_t i = text.n; i-- > 0;)
    if (text.p[i] == at) {
      *before = ho_str_sub(text, 0, i);
      *after = ho_str_sub(text, i + 1, text.n);
      return true;
    }
  return false;
}

bool ho_runs_key_parse(ho_str key, ho_runs_key *out)
{
  ho_str rest, number;
  uint64_t n;
  *out = (ho_runs_key){0};
  if (!ho_str_starts(key, HO_RUNS_KEYS))
    return false;
  rest = ho_str_sub(key, sizeof HO_RUNS_KEYS - 1, key.n);
  if (!ho_str_next(&rest, '/', &out->run) || !split_last(rest, ':', &rest, &out->what) ||
      !split_last(rest, '.', &out->step, &number) || !ho_str_to_u64(number, &n))
    return false;
  out->n = (int64_t)n;
  return true;
}
