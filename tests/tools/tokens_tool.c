/* tokens_tool IMAGE: reads texts from standard input, each as its length (4 bytes, machine order) and its bytes, and
 * prints for each the number of tokens. With --time, how many seconds counting took in all instead. */
#include "base/memory.h"
#include "doc/tokens/tokens.h"

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
  ho_error err = {0};
  ho_tokens *tokens;
  bool timed = argc == 3 && strcmp(argv[2], "--time") == 0;
  if (argc < 2 || ho_tokens_open(&tokens, argv[1], &err) != HO_OK) {
    fprintf(stderr, "tokens_tool: %s\n", argc < 2 ? "IMAGE is missing" : err.message);
    return 1;
  }
  double spent = 0;
  for (uint32_t n; fread(&n, sizeof n, 1, stdin) == 1;) {
    char *bytes = ho_malloc(n);
    if (!bytes || fread(bytes, 1, n, stdin) != n) {
      fprintf(stderr, "tokens_tool: the input is cut short\n");
      return 1;
    }
    double start = now();
    size_t count = ho_tokens_count(tokens, (ho_str){bytes, n});
    spent += now() - start;
    if (!timed)
      printf("%zu\n", count);
    ho_free(bytes);
  }
  if (timed)
    printf("%.6f\n", spent);
  ho_tokens_close(tokens);
  return 0;
}
