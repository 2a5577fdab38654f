#include "base/proc/shim.h"
#include "surface/cli.h"

int main(int argc, char **argv)
{
  if (argc > 0 && strcmp(argv[0], HO_SHIM_NAME) == 0)
    return ho_shim_main(argc, argv);
  return ho_cli_run(argc, argv);
}
