/* The second program: all that the first one is, and the server, which needs a library that the first one does without. */
#include "surface/http/http.h"
#include "surface/start.h"

int main(int argc, char **argv)
{
  return ho_start(argc, argv, ho_http_serve);
}
