#include "model/formats/times.h"

void ho_times_check_order(ho_check *check, const ho_rule *rule, const char *earlier, const char *later)
{
  const ho_node *end = ho_check_get(check, later);
  char from[17], to[17];
  if (ho_stamp_read(ho_node_str(ho_check_get(check, earlier)), from, NULL) &&
      ho_stamp_read(ho_node_str(end), to, NULL) && memcmp(from, to, sizeof from) > 0) {
    ho_check_fail(check, rule, end, "is before %s", earlier);
  }
}
