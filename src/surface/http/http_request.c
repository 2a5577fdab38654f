#include "surface/http/http_request.h"

#include "base/utf8.h"

enum { METHOD_MOST = 16, TARGET_MOST = 8192, CHUNK_LINE_MOST = 18, CHUNK_DIGITS_MOST = 8 };

static bool is_token(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (!isalnum((unsigned char)text.p[i]) && (!text.p[i] || !strchr("!#$%&'*+-.^_`|~", text.p[i])))
      return false;
  return text.n > 0;
}

static int hex(char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* Without its percent signs; p is NULL if it is wrongly encoded, or no text. */
static ho_str decode(ho_arena *arena, ho_str text, bool form)
{
  char *out = ho_arena_alloc(arena, text.n + 1);
  size_t n = 0;
  for (size_t i = 0; out && i < text.n; i++) {
    char c = text.p[i];
    if (c == '%') {
      if (i + 2 >= text.n || hex(text.p[i + 1]) < 0 || hex(text.p[i + 2]) < 0)
        return (ho_str){0};
      c = (char)(hex(text.p[i + 1]) * 16 + hex(text.p[i + 2]));
      i += 2;
    } else if (form && c == '+') {
      c = ' ';
    }
    if (!c)
      return (ho_str){0};
    out[n++] = c;
  }
  ho_str decoded = {out, n};
  return out && ho_utf8_bad(decoded) == HO_NONE ? decoded : (ho_str){0};
}

/* A path that nobody between the client and here can have read differently. */
static bool read_path(ho_arena *arena, ho_str raw, ho_str *out)
{
  ho_str rest, part;
  if (ho_str_has_nocase(raw, "%2f") || ho_str_has_nocase(raw, "%5c") || ho_str_has(raw, "\\"))
    return false;
  *out = decode(arena, raw, false);
  if (!out->p || !ho_str_starts(*out, "/"))
    return false;
  rest = ho_str_sub(*out, 1, out->n);
  if (!rest.n)
    return true;
  while (ho_str_next(&rest, '/', &part)) {
    if (!part.n || ho_str_is(part, ".") || ho_str_is(part, ".."))
      return false;
    for (size_t i = 0; i < part.n; i++)
      if ((unsigned char)part.p[i] < 0x20 || part.p[i] == 0x7f)
        return false;
  }
  return !ho_str_ends(*out, "/");
}

static int read_line(ho_arena *arena, ho_str line, ho_http_request *out, const char **why)
{
  ho_str method, target;
  *why = "the request line is not METHOD PATH HTTP/1.1";
  if (!ho_str_next(&line, ' ', &method) || !ho_str_next(&line, ' ', &target) || !is_token(method) ||
      method.n > METHOD_MOST)
    return 400;
  if (!ho_str_is(line, "HTTP/1.1") && !ho_str_is(line, "HTTP/1.0"))
    return ho_str_starts(line, "HTTP/") ? 505 : 400;
  *why = "the path is too long";
  if (target.n > TARGET_MOST)
    return 414;
  *why = "the path is not one of this server's: it begins with '/' and has no '..', '//', or encoded '/'";
  for (size_t i = 0; i < target.n; i++)
    if (target.p[i] <= 0x20 || target.p[i] >= 0x7f || target.p[i] == '#')
      return 400;
  size_t question = ho_str_find_char(target, '?');
  out->method = method;
  out->target = target;
  out->query = question == HO_NONE ? HO_EMPTY : ho_str_sub(target, question + 1, target.n);
  out->old = ho_str_is(line, "HTTP/1.0");
  return read_path(arena, ho_str_sub(target, 0, question), &out->path) ? 0 : 400;
}

static int read_header(ho_str line, ho_http_request *out, const char **why)
{
  size_t colon = ho_str_find_char(line, ':');
  ho_http_header header = {.name = ho_str_sub(line, 0, colon)};
  *why = "a header is not NAME: VALUE";
  if (colon == HO_NONE || !is_token(header.name))
    return 400;
  header.value = ho_str_sub(line, colon + 1, line.n);
  for (size_t i = 0; i < header.value.n; i++)
    if (((unsigned char)header.value.p[i] < 0x20 && header.value.p[i] != '\t') || header.value.p[i] == 0x7f)
      return 400;
  if (ho_utf8_bad(header.value) != HO_NONE)
    return 400;
  header.value = ho_str_trim(header.value); /* of blanks and tabs: nothing else of that kind was let through */
  *why = "too many headers";
  if (out->count == HO_HTTP_HEADERS_MOST)
    return 431;
  out->headers[out->count++] = header;
  return 0;
}

/* How long the body is, in a way that has one meaning only. */
static int read_framing(ho_http_request *out, const char **why)
{
  size_t lengths = ho_http_request_count(out, "content-length"),
         codings = ho_http_request_count(out, "transfer-encoding");
  ho_str length = ho_http_request_header(out, "content-length"), expect = ho_http_request_header(out, "expect");
  *why = "say the length of the body once, by Content-Length or by Transfer-Encoding: chunked";
  if (lengths + codings > 1)
    return 400;
  if (codings && out->old)
    return 400;
  if (codings && !ho_str_is_nocase(ho_http_request_header(out, "transfer-encoding"), "chunked"))
    return 501;
  out->chunked = codings > 0;
  if (lengths && (length.n > 19 || !ho_str_to_u64(length, &out->length)))
    return 400;
  *why = "this expectation cannot be met";
  out->asks = ho_str_is_nocase(expect, "100-continue") && !out->old;
  return !expect.n || out->asks || out->old ? 0 : 417;
}

static void read_connection(ho_http_request *out)
{
  ho_str list = ho_http_request_header(out, "connection"), word;
  out->closes = out->old;
  while (ho_str_next(&list, ',', &word))
    if (ho_str_is_nocase(ho_str_trim(word), "close"))
      out->closes = true;
}

int ho_http_request_read(ho_arena *arena, ho_str head, ho_http_request *out, const char **why)
{
  ho_str line;
  int status = 0;
  *out = (ho_http_request){.body = HO_EMPTY};
  *why = "the head of the request has a line that does not end as lines of HTTP do";
  for (size_t i = 0; i < head.n; i++) /* no line ends any other way, and none goes on in the next one */
    if (!head.p[i] || (head.p[i] == '\r') != (i + 1 < head.n && head.p[i + 1] == '\n') ||
        (head.p[i] == '\n' && i + 1 < head.n && (head.p[i + 1] == ' ' || head.p[i + 1] == '\t')))
      return 400;
  if (!ho_str_next_line(&head, &line))
    return 400;
  status = read_line(arena, line, out, why);
  while (!status && ho_str_next_line(&head, &line) && line.n)
    status = read_header(line, out, why);
  if (status)
    return status;
  *why = "say the host once, by the header Host";
  size_t hosts = ho_http_request_count(out, "host");
  if (hosts > 1 || (!hosts && !out->old))
    return 400;
  read_connection(out);
  return read_framing(out, why);
}

size_t ho_http_request_head(ho_str bytes)
{
  size_t end = ho_str_find(bytes, "\r\n\r\n");
  return end == HO_NONE ? 0 : end + 4;
}

ho_str ho_http_request_header(const ho_http_request *request, const char *name)
{
  for (size_t i = 0; i < request->count; i++)
    if (ho_str_is_nocase(request->headers[i].name, name))
      return request->headers[i].value;
  return HO_EMPTY;
}

size_t ho_http_request_count(const ho_http_request *request, const char *name)
{
  size_t count = 0;
  for (size_t i = 0; i < request->count; i++)
    count += ho_str_is_nocase(request->headers[i].name, name);
  return count;
}

bool ho_http_request_param(ho_arena *arena, ho_str *query, ho_str *name, ho_str *value, bool *bad)
{
  ho_str part = HO_EMPTY;
  do
    if (!ho_str_next(query, '&', &part))
      return false;
  while (!part.n);
  size_t equals = ho_str_find_char(part, '=');
  *name = decode(arena, ho_str_sub(part, 0, equals), true);
  *value = equals == HO_NONE ? HO_EMPTY : decode(arena, ho_str_sub(part, equals + 1, part.n), true);
  *bad = !name->p || !value->p;
  return true;
}

/* "1a\r\n": the size of the next chunk. 0 if it is not whole yet; -1: it is no such line. */
static int chunk_size(ho_str bytes, uint64_t *size)
{
  size_t end = ho_str_find(ho_str_sub(bytes, 0, CHUNK_LINE_MOST), "\r\n");
  if (end == HO_NONE)
    return bytes.n >= CHUNK_LINE_MOST ? -1 : 0;
  if (end == 0 || end > CHUNK_DIGITS_MOST)
    return -1;
  *size = 0;
  for (size_t i = 0; i < end; i++) {
    if (hex(bytes.p[i]) < 0)
      return -1;
    *size = *size * 16 + (uint64_t)hex(bytes.p[i]);
  }
  return (int)end + 2;
}

int ho_http_request_chunks(ho_http_chunks *chunks, ho_str bytes, size_t *taken, ho_buf *out, size_t most,
                           const char **why)
{
  *taken = 0;
  *why = "the body is not in chunks as HTTP has them, without extensions and trailers";
  while (chunks->phase != HO_HTTP_CHUNK_DONE) {
    ho_str rest = ho_str_sub(bytes, *taken, bytes.n);
    if (chunks->phase == HO_HTTP_CHUNK_SIZE) {
      int n = chunk_size(rest, &chunks->left);
      if (n <= 0)
        return n ? 400 : 0;
      *taken += (size_t)n;
      chunks->phase = chunks->left ? HO_HTTP_CHUNK_DATA : HO_HTTP_CHUNK_LAST;
      *why = chunks->left > most - out->n ? "the body is too large" : *why;
      if (chunks->left > most - out->n)
        return 413;
    } else if (chunks->phase == HO_HTTP_CHUNK_DATA) {
      ho_str part = ho_str_sub(rest, 0, (size_t)chunks->left);
      if (!part.n)
        return 0;
      ho_buf_put(out, part);
      *taken += part.n;
      chunks->left -= part.n;
      chunks->phase = chunks->left ? HO_HTTP_CHUNK_DATA : HO_HTTP_CHUNK_END;
    } else { /* the line end behind a chunk, or behind all of them */
      if (rest.n < 2)
        return rest.n && rest.p[0] != '\r' ? 400 : 0;
      if (rest.p[0] != '\r' || rest.p[1] != '\n')
        return 400;
      *taken += 2;
      chunks->phase = chunks->phase == HO_HTTP_CHUNK_END ? HO_HTTP_CHUNK_SIZE : HO_HTTP_CHUNK_DONE;
    }
  }
  return 0;
}
