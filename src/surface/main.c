#include "surface/cli_server.h"
#include "surface/start.h"

int main(int argc, char **argv)
{
  return ho_start(argc, argv, ho_cli_server);
}
