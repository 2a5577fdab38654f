/* The edge of the HTTP server: a head, judged, and a body in chunks, which is the same in whatever pieces it comes. */
#include <stdlib.h>

#include "surface/http/http_edge.h"

enum { MOST = 4096 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static int chunks(ho_str body, size_t piece, ho_buf *out, bool *done)
{
  ho_http_chunks state = {0};
  const char *why = "";
  size_t at = 0, taken = 0;
  for (size_t end = 0; end < body.n;) {
    end = end + piece < body.n ? end + piece : body.n;
    int status = ho_http_request_chunks(&state, ho_str_sub(body, at, end), &taken, out, MOST, &why);
    if (status)
      return status;
    at += taken;
  }
  *done = state.phase == HO_HTTP_CHUNK_DONE;
  return 0;
}

static void check_chunks(ho_str body)
{
  ho_buf whole, pieces;
  bool done = false, done_too = false;
  ho_buf_init(&whole, 0);
  ho_buf_init(&pieces, 0);
  int status = chunks(body, body.n ? body.n : 1, &whole, &done), status_too = chunks(body, 3, &pieces, &done_too);
  if (!status != !status_too || whole.n > MOST ||
      (!status && (done != done_too || !ho_str_eq(ho_buf_str(&whole), ho_buf_str(&pieces)))))
    abort();
  ho_buf_free(&whole);
  ho_buf_free(&pieces);
}

static bool is_blank(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A value is what any other server would have read. */
static void check_headers(const ho_http_request *request)
{
  for (size_t i = 0; i < request->count; i++) {
    ho_str value = request->headers[i].value;
    if (value.n && (is_blank(value.p[0]) || is_blank(value.p[value.n - 1])))
      abort();
    for (size_t n = 0; n < value.n; n++)
      if (((unsigned char)value.p[n] < 0x20 && value.p[n] != '\t') || value.p[n] == 0x7f)
        abort();
  }
}

/* What was let through is what it seems to be. */
static void check_path(ho_str path)
{
  if (!ho_str_starts(path, "/") || ho_str_has(path, "/../") || ho_str_has(path, "//") || ho_str_ends(path, "/..") ||
      ho_str_has(path, "\\") || ho_str_find_char(path, '\n') != HO_NONE)
    abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
  ho_str all = {(const char *)data, size};
  size_t head = ho_http_request_head(all);
  const char *why = "";
  ho_http_request request;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  if (head && !ho_http_request_read(&arena, ho_str_sub(all, 0, head), &request, &why)) {
    bool bad = false;
    ho_str query = request.query, name, value;
    check_path(request.path);
    check_headers(&request);
    if (request.chunked && request.length)
      abort();
    while (ho_http_request_param(&arena, &query, &name, &value, &bad))
      ;
    (void)ho_http_edge_judge(&request, NULL, &why);
    (void)ho_http_edge_bearer(&request, &bad);
    (void)ho_http_edge_cookie(&request, "handoff-1");
    check_chunks(ho_str_sub(all, head, all.n));
  }
  ho_arena_free(&arena);
  return 0;
}
