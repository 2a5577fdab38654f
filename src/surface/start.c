#include "surface/start.h"

#include <signal.h>

#include "base/proc/shim.h"
#include "model/secrets/secrets.h"

static ho_str without_secrets(ho_str text, ho_arena *arena)
{
  size_t count = 0;
  return ho_secret_redact(text, arena, &count);
}

/* A limit on the size of files is an error of the write that meets it. A handler is not passed on to the programs that
 * are started, as SIG_IGN would be. */
static void too_large(int number)
{
  (void)number;
}

int ho_start(int argc, char **argv, ho_cli_listen *listen)
{
  struct sigaction old = {0}, carry_on = {.sa_handler = too_large, .sa_flags = SA_RESTART};
  if (sigaction(SIGXFSZ, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
    sigaction(SIGXFSZ, &carry_on, NULL);
  if (argc > 0 && strcmp(argv[0], HO_SHIM_NAME) == 0)
    return ho_shim_main(argc, argv, without_secrets);
  return ho_cli_run(argc, argv, listen);
}
