#include "engine/ledger/notices.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/project/quote.h"

/* argv of the command with one more argument. */
static char **command(const ho_project *project, const ho_node *notify, ho_str sentence)
{
  char **argv = ho_arena_array(project->arena, notify->count + 2, sizeof *argv);
  size_t n = 0;
  if (!argv)
    return NULL;
  HO_EACH_CONST (part, notify)
    argv[n++] = (char *)ho_arena_z(project->arena, part->text);
  argv[n] = (char *)ho_arena_z(project->arena, sentence);
  return argv;
}

/* In the grandchild: only calls that are safe after fork. */
static void become(const char *folder, char **argv)
{
  int nothing = open("/dev/null", O_RDWR);
  if (nothing >= 0) {
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
  }
  setsid();
  if (chdir(folder) == 0)
    execvp(argv[0], argv);
  _exit(127);
}

static void start(const ho_project *project, const ho_node *gate, char **argv)
{
  const char *folder = ho_arena_z(project->arena, project->root);
  setenv("HANDOFF_GATE", ho_arena_z(project->arena, ho_map_str(gate, "gate")), 1);
  setenv("HANDOFF_ID", ho_arena_z(project->arena, ho_map_str(gate, "handoff")), 1);
  pid_t child = fork();
  if (child == 0) {
    if (fork() == 0)
      become(folder, argv);
    _exit(0);
  }
  if (child > 0)
    waitpid(child, NULL, 0);
  unsetenv("HANDOFF_GATE");
  unsetenv("HANDOFF_ID");
}

void ho_notices_raised(ho_project *project)
{
  if (ho_node_empty(project->raised))
    return;
  const ho_node *notify = ho_project_trusted(project, HO_TRUST_NOTIFY);
  if (ho_node_empty(notify) || !ho_node_is(notify, HO_KIND_LIST))
    return;
  HO_EACH_CONST (gate, project->raised) {
    ho_str name = ho_quote_name(project->arena, ho_map_str(gate, "name"));
    ho_str sentence = ho_arena_printf(project->arena, "%.*s waits for your decision: %.*s",
                                      HO_ARG(ho_map_str(gate, "gate")), HO_ARG(name));
    char **argv = command(project, notify, sentence);
    if (argv && !project->arena->failed)
      start(project, gate, argv);
  }
}
