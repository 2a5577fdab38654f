/* Reads the output of harnesses. Its form is not a contract: what is not understood is skipped. */
#include "base/fs.h"
#include "engine/context/transcript_parts.h"
#include "engine/project/quote.h"
#include "engine/run/adapter_parts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 64 << 10, ERROR_SIZE = 1000 };

static void keep(ho_adapter_reader *reader, ho_str *to, ho_str text)
{
  if (text.n && !ho_str_eq(*to, text))
    *to = ho_arena_copy(reader->arena, text);
}

static void say(ho_adapter_reader *reader, ho_str text)
{
  if (!text.n)
    return;
  ho_buf_reset(&reader->message);
  ho_buf_put(&reader->message, ho_str_sub(text, 0, MESSAGE_SIZE));
}

/* It gave up, and says why. */
static void fail(ho_adapter_reader *reader, ho_str text)
{
  reader->said->failed = true;
  keep(reader, &reader->said->error, ho_str_sub(text, 0, ERROR_SIZE));
}

/* [{tool_name, tool_input}]: each once, as far as a line has room. */
static void deny(ho_adapter_reader *reader, const ho_node *denials)
{
  enum { MOST = 5, WORDS = 60 };
  ho_buf out;
  size_t shown = 0, more = 0;
  ho_buf_init(&out, 0);
  HO_EACH_CONST (denial, denials) {
    ho_str what = ho_adapter_wanted(ho_map_getz(denial, "tool_input")),
           tool = ho_str_sub(ho_map_str(denial, "tool_name"), 0, WORDS);
    ho_str one = ho_arena_printf(reader->arena, what.n ? "%.*s (%.*s)" : "%.*s%.*s", HO_ARG(tool),
                                 HO_ARG(ho_quote_clean(reader->arena, what, WORDS, true)));
    if (!one.n || ho_str_has(ho_buf_str(&out), one.p))
      continue;
    if (shown == MOST)
      more++;
    else
      ho_buf_printf(&out, "%s%.*s", shown++ ? ", " : "", HO_ARG(one));
  }
  if (more)
    ho_buf_printf(&out, " and %zu more", more);
  reader->said->denied = ho_buf_move(&out, reader->arena);
}

/* --- the harnesses ------------------------------------------------------------------------------------------------- */

/* system/init {session_id, model}, assistant {message {model, usage, content}}, result {result, usage, is_error,
 * permission_denials}. */
void ho_adapter_take_claude(ho_adapter_reader *reader, const ho_node *entry)
{
  ho_adapter_said *said = reader->said;
  ho_str type = ho_map_str(entry, "type");
  const ho_node *message = ho_map_getz(entry, "message"), *usage = ho_map_getz(message, "usage");
  keep(reader, &said->session, ho_map_str(entry, "session_id"));
  keep(reader, &said->model, ho_map_str(entry, "model"));
  if (ho_str_is(type, "assistant") && ho_node_absent(ho_map_getz(entry, "parent_tool_use_id"))) {
    int64_t held = ho_count_of(usage, "input_tokens") + ho_count_of(usage, "cache_creation_input_tokens") +
                   ho_count_of(usage, "cache_read_input_tokens") + ho_count_of(usage, "output_tokens");
    said->context = held ? held : said->context;
    keep(reader, &said->model, ho_map_str(message, "model"));
  } else if (ho_str_is(type, "result")) {
    usage = ho_map_getz(entry, "usage");
    said->tokens = ho_count_of(usage, "input_tokens") + ho_count_of(usage, "cache_creation_input_tokens") +
                   ho_count_of(usage, "output_tokens");
    if (ho_node_true(ho_map_getz(entry, "is_error")))
      fail(reader, ho_map_str(entry, "result"));
    deny(reader, ho_map_getz(entry, "permission_denials"));
    say(reader, ho_map_str(entry, "result"));
  }
}

/* thread.started {thread_id}, item.completed {item {type: agent_message, text}}, turn.completed {usage}, turn.failed. */
void ho_adapter_take_codex(ho_adapter_reader *reader, const ho_node *entry)
{
  ho_adapter_said *said = reader->said;
  ho_str type = ho_map_str(entry, "type");
  const ho_node *item = ho_map_getz(entry, "item"), *usage = ho_map_getz(entry, "usage");
  if (ho_str_is(type, "item.completed") && !ho_str_is(ho_map_str(item, "type"), "error"))
    said->acted = true;
  if (ho_str_is(type, "thread.started"))
    keep(reader, &said->session, ho_map_str(entry, "thread_id"));
  else if (ho_str_is(type, "item.completed") && ho_str_is(ho_map_str(item, "type"), "agent_message"))
    say(reader, ho_map_str(item, "text"));
  else if (ho_str_is(type, "turn.failed"))
    fail(reader, ho_map_str(ho_map_getz(entry, "error"), "message"));
  if (ho_node_is(usage, HO_KIND_MAP)) {
    int64_t fresh = ho_count_of(usage, "input_tokens") - ho_count_of(usage, "cached_input_tokens");
    said->tokens = (fresh > 0 ? fresh : 0) + ho_count_of(usage, "output_tokens");
  }
}

/* init {session_id, model}, message {role, content, delta}, result {status, stats}. */
void ho_adapter_take_gemini(ho_adapter_reader *reader, const ho_node *entry)
{
  ho_adapter_said *said = reader->said;
  ho_str type = ho_map_str(entry, "type"), content = ho_map_str(entry, "content");
  const ho_node *stats = ho_map_getz(entry, "stats");
  keep(reader, &said->session, ho_map_str(entry, "session_id"));
  keep(reader, &said->model, ho_map_str(entry, "model"));
  said->acted |= ho_str_is(type, "tool_use");
  if (ho_str_is(type, "message") && ho_str_is(ho_map_str(entry, "role"), "assistant")) {
    said->acted = true;
    if (!ho_node_true(ho_map_getz(entry, "delta")))
      ho_buf_reset(&reader->message);
    if (reader->message.n + content.n <= MESSAGE_SIZE)
      ho_buf_put(&reader->message, content);
  } else if (ho_str_is(type, "message") || ho_str_is(type, "tool_use")) {
    ho_buf_reset(&reader->message);
  } else if (ho_str_is(type, "result")) {
    int64_t fresh = ho_count_of(stats, "input_tokens") - ho_count_of(stats, "cached");
    said->tokens = (fresh > 0 ? fresh : 0) + ho_count_of(stats, "output_tokens");
    if (ho_str_is(ho_map_str(entry, "status"), "error"))
      fail(reader, ho_map_str(ho_map_getz(entry, "error"), "message"));
  }
}

/* {type, sessionID, part}: text {text}, step_finish {tokens {input, output, reasoning, cache {read, write}}}, error. */
void ho_adapter_take_opencode(ho_adapter_reader *reader, const ho_node *entry)
{
  ho_adapter_said *said = reader->said;
  ho_str type = ho_map_str(entry, "type");
  const ho_node *part = ho_map_getz(entry, "part"), *tokens = ho_map_getz(part, "tokens");
  const ho_node *cache = ho_map_getz(tokens, "cache");
  keep(reader, &said->session, ho_map_str(entry, "sessionID"));
  if (ho_str_is(type, "text"))
    say(reader, ho_map_str(part, "text"));
  else if (ho_str_is(type, "error"))
    fail(reader, ho_node_str(ho_node_by_names(entry, "error.data.message")));
  if (!ho_str_is(type, "step_finish"))
    return;
  int64_t fresh = ho_count_of(tokens, "input") + ho_count_of(tokens, "output") + ho_count_of(tokens, "reasoning") +
                  ho_count_of(cache, "write");
  said->tokens += fresh;
  said->context = fresh + ho_count_of(cache, "read");
}

/* --- the file ------------------------------------------------------------------------------------------------------ */

/* The last bytes of a file, from the beginning of a line; "" if it cannot be read. */
static ho_str read_end(ho_arena *arena, const char *path, size_t most)
{
  struct stat stat;
  int fd = ho_fs_open(path, O_RDONLY | O_NONBLOCK);
  ho_str text = HO_EMPTY;
  if (fd < 0)
    return text;
  if (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode)) {
    off_t from = stat.st_size > (off_t)most ? stat.st_size - (off_t)most : 0;
    char *bytes = ho_arena_alloc(arena, (size_t)(stat.st_size - from) + 1);
    ssize_t n = bytes ? pread(fd, bytes, (size_t)(stat.st_size - from), from) : 0;
    text = n > 0 ? (ho_str){bytes, (size_t)n} : HO_EMPTY;
    size_t line = from ? ho_str_find_char(text, '\n') : HO_NONE;
    if (line != HO_NONE)
      text = ho_str_sub(text, line + 1, text.n);
  }
  close(fd);
  return text;
}

/* Each line is parsed in its own arena, so that a long output takes no more memory than its longest line. */
static void read_lines(ho_adapter_reader *reader, const ho_adapter *adapter, ho_str text)
{
  ho_arena scratch;
  ho_str line;
  ho_arena_init(&scratch, 0);
  while (ho_str_next_line(&text, &line)) {
    if (!ho_str_starts(line, "{")) { /* before it begins, it can only say in plain words what is wrong */
      if (!reader->said->session.n && ho_adapter_trouble(line) == HO_TROUBLE_TRUST)
        fail(reader, line);
      continue;
    }
    const ho_node *entry = ho_transcript_parse(&scratch, line);
    if (ho_node_is(entry, HO_KIND_MAP))
      adapter->take(reader, entry);
    if (scratch.failed == HO_MEMORY)
      reader->arena->failed = HO_MEMORY;
    ho_arena_reset(&scratch);
  }
  ho_arena_free(&scratch);
}

ho_code ho_adapter_read(ho_arena *arena, const ho_adapter *adapter, const char *log, size_t most, ho_adapter_said *out,
                        ho_error *err)
{
  ho_arena file;
  ho_adapter_reader reader = {.said = out, .arena = arena};
  *out = (ho_adapter_said){.session = HO_EMPTY, .model = HO_EMPTY, .message = HO_EMPTY, .error = HO_EMPTY};
  ho_arena_init(&file, 0);
  ho_buf_init(&reader.message, 0);
  ho_str text = read_end(&file, log, most);
  if (adapter)
    read_lines(&reader, adapter, text);
  else
    ho_buf_put(&reader.message, ho_str_sub(text, text.n > MESSAGE_SIZE ? text.n - MESSAGE_SIZE : 0, text.n));
  out->message = ho_fs_text(arena, ho_buf_move(&reader.message, arena));
  out->error = ho_quote_clean(arena, out->error, ERROR_SIZE, true);
  out->denied = ho_quote_clean(arena, out->denied, ERROR_SIZE, true);
  out->trouble = out->failed ? ho_adapter_trouble(out->error) : HO_TROUBLE_NONE;
  ho_code code = file.failed ? ho_arena_code(&file, err) : ho_arena_code(arena, err);
  ho_arena_free(&file);
  return code;
}
