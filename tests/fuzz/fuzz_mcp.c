/* What a client says to the MCP server: whatever it is, each line that it says is one message of JSON-RPC, and a request
 * with an id is answered once at most, or waits.
 *
 * The input is what the client says, a line per message; an empty line lets the server look for what waits, or for what
 * has changed. A line "@VERSION|METHOD|NAME" begins a request of HTTP with these headers, which ends with the next one, and may
 * be left while something is pending. The fixtures of the conformance suite are there, so that clients are asked and calls become tasks; tools that change the project are not. */
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

/* A request of HTTP: what is pending there is dropped when the next one begins. */
typedef struct visit {
  ho_mcp_head head;
  ho_mcp_channel channel;
  bool open;
} visit;

static void end_visit(ho_mcp *mcp, visit *v)
{
  if (v->open)
    ho_mcp_leave(mcp, &v->channel);
  v->open = false;
}

static void begin_visit(ho_mcp *mcp, visit *v, ho_str headers)
{
  end_visit(mcp, v);
  *v = (visit){.open = true};
  ho_mcp_channel_begin(&v->channel);
  v->channel.head = &v->head;
  (void)(ho_str_next(&headers, '|', &v->head.version) && ho_str_next(&headers, '|', &v->head.method) &&
         ho_str_next(&headers, '|', &v->head.name));
}

static void look(ho_mcp *mcp, size_t line)
{
  if (line % 2)
    ho_mcp_changed(mcp);
  (void)ho_mcp_look(mcp);
  (void)ho_mcp_watches(mcp);
}

static void check_channel(ho_mcp_channel *channel)
{
  check(ho_buf_str(&channel->out));
  if (channel->status < 200 || channel->status > 404)
    abort();
  ho_buf_reset(&channel->out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  visit v = {0};
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
  if (ho_mcp_begin(&mcp, &host, args, HO_EMPTY, &err))
    abort();
  for (size_t i = 0; i < LINES && ho_str_next(&rest, '\n', &line); i++) {
    if (ho_str_starts(line, "@"))
      begin_visit(mcp, &v, ho_str_sub(line, 1, line.n));
    else if (line.n)
      ho_mcp_take(mcp, v.open ? &v.channel : ho_mcp_main(mcp), line);
    else
      look(mcp, i);
    check_channel(ho_mcp_main(mcp));
    if (v.open)
      check_channel(&v.channel);
  }
  end_visit(mcp, &v);
  ho_mcp_end(mcp);
  ho_arena_free(&arena);
  return 0;
}
