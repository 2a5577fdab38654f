#include "surface/cli.h"

int main(int argc, char **argv)
{
  return ho_cli_run(argc, argv);
}
