/* What a client says to the MCP server: whatever it is, each line that it says is one message of JSON-RPC, and a request
 * with an id is answered once at most, or waits.
 *
 * The input is what the client says, a line per message; an empty line lets the server look for what waits. The fixtures of
 * the conformance suite are there, so that clients are asked and calls become tasks; tools that change the project are not. */
#include <ftw.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doc/json/json.h"
#include "surface/mcp/mcp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 40 };
static char folder[64];

static int64_t clock_ms(void *world)
{
  (void)world;
  return 1770906622000;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
  (void)info, (void)kind, (void)walk;
  return remove(path);
}

static void remove_folder(void)
{
  nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void prepare(void)
{
  char inside[96];
  snprintf(folder, sizeof folder, "%s/handoff-fuzz.XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
  if (sodium_init() < 0 || !mkdtemp(folder))
    abort();
  atexit(remove_folder);
  snprintf(inside, sizeof inside, "%s/.handoff", folder);
  if (mkdir(inside, 0700))
    abort();
  setenv("HOME", folder, 1);
  setenv("XDG_DATA_HOME", folder, 1);
}

/* Every line is a message with what one has. */
static void check(ho_str said)
{
  ho_str line;
  ho_arena arena;
  while (ho_str_next_line(&said, &line)) {
    ho_source source;
    ho_node *value = NULL;
    ho_error err = {0};
    ho_arena_init(&arena, 0);
    if (ho_source_init(&source, &arena, HO_STR("answer"), line, &err) ||
        ho_json_read(&source, 0, &arena, NULL, &value, &err) || !ho_str_is(ho_map_str(value, "jsonrpc"), "2.0"))
      abort();
    if ((ho_map_getz(value, "method") != NULL) == (ho_map_getz(value, "result") || ho_map_getz(value, "error")))
      abort();
    ho_arena_free(&arena);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_arena arena;
  ho_error err = {0};
  ho_mcp *mcp = NULL;
  ho_str rest = {(const char *)data, size}, line;
  if (!folder[0])
    prepare();
  ho_arena_init(&arena, 0);
  ho_host host = {.arena = &arena,
                  .root = ho_str_of(folder),
                  .told_root = true,
                  .folder = ho_str_of(folder),
                  .program = HO_STR("handoff"),
                  .clock_ms = clock_ms};
  ho_node *args = ho_node_new(&arena, HO_KIND_MAP);
  ho_map_addz(args, "read_only", ho_node_bool(&arena, true));
  ho_map_addz(args, "fixtures", ho_node_textz(&arena, TEST_SOURCE_DIR "/tests/mcp/fixtures.json"));
  if (ho_mcp_begin(&mcp, &host, args, &err))
    abort();
  for (size_t i = 0; i < LINES && ho_str_next(&rest, '\n', &line); i++) {
    if (line.n)
      ho_mcp_take(mcp, ho_mcp_main(mcp), line);
    else
      (void)ho_mcp_look(mcp);
    check(ho_buf_str(&ho_mcp_main(mcp)->out));
    ho_buf_reset(&ho_mcp_main(mcp)->out);
  }
  ho_mcp_end(mcp);
  ho_arena_free(&arena);
  return 0;
}
