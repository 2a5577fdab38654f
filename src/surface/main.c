#include "base/proc/shim.h"
#include "model/secrets/secrets.h"
#include "surface/cli.h"

static ho_str without_secrets(ho_str text, ho_arena *arena)
{
  size_t count = 0;
  return ho_secret_redact(text, arena, &count);
}

int main(int argc, char **argv)
{
  if (argc > 0 && strcmp(argv[0], HO_SHIM_NAME) == 0)
    return ho_shim_main(argc, argv, without_secrets);
  return ho_cli_run(argc, argv);
}
