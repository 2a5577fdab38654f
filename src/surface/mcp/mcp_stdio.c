/* The server at standard input and output. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/str.h"
#include "surface/mcp/mcp.h"

enum { CHUNK = 65536, KEPT = 1 << 20 };

/* What has come of the line that is not whole yet. */
typedef struct input {
  int fd;
  ho_buf line;
  bool skips; /* it is longer than the limit: the rest of it is dropped */
  bool ended;
} input;

static ho_code write_all(ho_buf *out, ho_error *err)
{
  ho_str text = ho_buf_str(out);
  ho_code code = ho_buf_code(out, err);
  while (!code && text.n) {
    ssize_t n = write(STDOUT_FILENO, text.p, text.n);
    if (n < 0 && errno != EINTR)
      return ho_fail(err, HO_IO, "cannot write the output: %s", strerror(errno));
    text = ho_str_sub(text, n > 0 ? (size_t)n : 0, text.n);
  }
  if (out->cap > KEPT)
    ho_buf_free(out);
  else
    ho_buf_reset(out);
  return code;
}

static void end_line(input *in, ho_mcp *mcp)
{
  if (in->skips)
    ho_mcp_take_long(ho_mcp_main(mcp));
  else
    ho_mcp_take(mcp, ho_mcp_main(mcp), ho_buf_str(&in->line));
  in->skips = false;
  if (in->line.cap > KEPT)
    ho_buf_free(&in->line);
  else
    ho_buf_reset(&in->line);
}

/* Every line is answered before the next one is looked at. */
static ho_code take(input *in, ho_mcp *mcp, ho_str chunk, ho_error *err)
{
  ho_code code = HO_OK;
  while (!code && chunk.n) {
    size_t end = ho_str_find_char(chunk, '\n');
    ho_str part = ho_str_sub(chunk, 0, end);
    chunk = end == HO_NONE ? HO_EMPTY : ho_str_sub(chunk, end + 1, chunk.n);
    in->skips = in->skips || in->line.n + part.n > HO_LIMIT_DOCUMENT;
    if (in->skips)
      ho_buf_reset(&in->line);
    else
      ho_buf_put(&in->line, part);
    if (end == HO_NONE)
      continue;
    end_line(in, mcp);
    code = write_all(&ho_mcp_main(mcp)->out, err);
  }
  return code;
}

static ho_code read_some(input *in, ho_mcp *mcp, ho_error *err)
{
  char chunk[CHUNK];
  ssize_t n = read(in->fd, chunk, sizeof chunk);
  if (n < 0 && errno == EINTR)
    return HO_OK;
  in->ended = n <= 0;
  if (n < 0)
    return ho_fail(err, HO_IO, "cannot read standard input: %s", strerror(errno));
  if (n == 0 && in->line.n) /* a last line without its end */
    end_line(in, mcp);
  return n == 0 ? write_all(&ho_mcp_main(mcp)->out, err) : take(in, mcp, (ho_str){chunk, (size_t)n}, err);
}

/* What the client sends is read here only: a call for /dev/stdin, or a program that a tool starts, finds an end there. */
static int own_input(ho_error *err)
{
  int ends[2] = {-1, -1}, own = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  bool moved = own >= 0 && !pipe2(ends, O_CLOEXEC) && dup2(ends[0], STDIN_FILENO) >= 0;
  int reason = errno;
  for (int i = 0; i < 2; i++)
    if (ends[i] > STDIN_FILENO)
      close(ends[i]);
  if (moved)
    return own;
  if (own >= 0)
    close(own);
  ho_fail(err, HO_IO, "cannot take standard input over: %s", strerror(reason));
  return -1;
}

static ho_code serve(ho_mcp *mcp, ho_error *err)
{
  input in = {.fd = own_input(err)};
  ho_code code = in.fd < 0 ? err->code : HO_OK;
  ho_buf_init(&in.line, 0);
  while (!code && !in.ended) {
    struct pollfd p = {.fd = in.fd, .events = POLLIN};
    int ms = ho_mcp_look(mcp);
    code = write_all(&ho_mcp_main(mcp)->out, err);
    if (!code && poll(&p, 1, ms) > 0)
      code = read_some(&in, mcp, err);
  }
  ho_buf_free(&in.line);
  if (in.fd >= 0)
    close(in.fd);
  return code;
}

ho_code ho_mcp_serve(const ho_call *call, ho_error *err)
{
  ho_mcp *mcp = NULL;
  ho_code code = ho_mcp_begin(&mcp, call->host, call->args, HO_EMPTY, err);
  if (!code)
    code = serve(mcp, err);
  ho_mcp_end(mcp);
  return code;
}
