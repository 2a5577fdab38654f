/* For tests of hooks: the harnesses that have hooks, and their events, as their rows say.
 *
 *   harness_tool   "HARNESS EVENT MOMENT" for every event, a line each: claude PreCompact compact */
#include <stdio.h>

#include "model/harness/harness.h"

int main(void)
{
  static const char *const moments[HO_MOMENTS] = {
      [HO_MOMENT_START] = "start",
      [HO_MOMENT_BEFORE_TOOL] = "before-tool",
      [HO_MOMENT_AFTER_TOOL] = "after-tool",
      [HO_MOMENT_COMPACT] = "compact",
      [HO_MOMENT_STOP] = "stop",
      [HO_MOMENT_SUBAGENT_STOP] = "subagent-stop",
      [HO_MOMENT_END] = "end",
  };
  for (const ho_choice *choice = ho_harness_choices; choice->value; choice++) {
    const ho_harness *harness = ho_harness_named(ho_str_of(choice->value));
    for (const ho_hook_event *event = harness ? harness->events : NULL; event && event->name; event++)
      printf("%s %s %s\n", harness->name, event->name, moments[event->moment]);
  }
  return 0;
}
