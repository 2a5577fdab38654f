/* For tests: what the rows of the harnesses say, a line each.
 *
 *   harness_tool         "HARNESS EVENT MOMENT" for every event of those with hooks: claude PreCompact compact
 *   harness_tool signs   "HARNESS KIND WORD" for every sign that its agent runs something: cursor program cursor-agent;
 *                        the kinds are variable, program and folder */
#include <stdio.h>
#include <string.h>

#include "model/harness/harness.h"

static void put_events(void)
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
}

static void put_list(const ho_harness *harness, const char *kind, const char *list)
{
  ho_str rest = ho_str_of(list), word;
  while (rest.n && ho_str_next(&rest, '|', &word))
    printf("%s %s %.*s\n", harness->name, kind, HO_ARG(word));
}

static void put_signs(void)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    for (const char *const *variable = (*each)->inside; *variable; variable++)
      put_list(*each, "variable", *variable);
    put_list(*each, "program", (*each)->programs);
    put_list(*each, "folder", (*each)->folders);
  }
}

int main(int argc, char **argv)
{
  if (argc > 1 && strcmp(argv[1], "signs") == 0)
    put_signs();
  else
    put_events();
  return 0;
}
