#include "base/post.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/time.h"

enum { USUAL_PORT = 80, ANSWER_MOST = 8192 };

ho_code ho_post_url_read(ho_str text, ho_post_url *out, ho_error *err)
{
  uint64_t port = USUAL_PORT;
  bool good = ho_str_starts(text, "http://");
  ho_str rest = good ? ho_str_sub(text, 7, text.n) : HO_EMPTY;
  for (size_t i = 0; i < rest.n; i++)
    good = good && rest.p[i] > ' ' && rest.p[i] < 0x7f && !strchr("@?#\\", rest.p[i]);
  size_t slash = ho_str_find_char(rest, '/');
  *out = (ho_post_url){.authority = ho_str_sub(rest, 0, slash), .path = ho_str_sub(rest, slash, rest.n)};
  while (ho_str_ends(out->path, "/"))
    out->path.n--;
  ho_str host = out->authority;
  size_t end = ho_str_starts(host, "[") ? ho_str_find_char(host, ']') : 0;
  size_t colon = end == HO_NONE ? HO_NONE : ho_str_find_char(ho_str_sub(host, end, host.n), ':');
  if (colon != HO_NONE)
    good = good && ho_str_to_u64(ho_str_sub(host, end + colon + 1, host.n), &port) && port > 0 && port < 65536;
  if (colon != HO_NONE)
    host = ho_str_sub(host, 0, end + colon);
  if (ho_str_starts(host, "[") && ho_str_ends(host, "]"))
    host = ho_str_sub(host, 1, host.n - 1);
  out->host = ho_str_is_nocase(host, "localhost") ? HO_STR("127.0.0.1") : host;
  out->port = (unsigned)port;
  if (!good || !host.n)
    return ho_fail(err, HO_USAGE, "'%.*s' is not an address of a collector; use http://127.0.0.1:4318",
                   HO_ARG(ho_str_sub(text, 0, 120)));
  return HO_OK;
}

static ho_code address_of(ho_arena *arena, const ho_post_url *url, struct sockaddr_storage *out, socklen_t *size,
                          ho_error *err)
{
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)url->port)};
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)url->port)};
  const char *host = ho_arena_z(arena, url->host);
  *size = sizeof four;
  if (inet_pton(AF_INET, host, &four.sin_addr) == 1) {
    memcpy(out, &four, sizeof four);
    return HO_OK;
  }
  *size = sizeof six;
  if (inet_pton(AF_INET6, host, &six.sin6_addr) != 1)
    return ho_fail(err, HO_USAGE, "'%s' is a name, and names are not looked up; use the address", host);
  memcpy(out, &six, sizeof six);
  return HO_OK;
}

/* Waits until something can be read or written. */
static bool is_ready(int fd, short what, int64_t end)
{
  struct pollfd one = {.fd = fd, .events = what};
  int64_t left;
  while ((left = end - ho_time_monotonic_ms()) > 0) {
    int n = poll(&one, 1, (int)left);
    if (n > 0)
      return true;
    if (n < 0 && errno != EINTR)
      return false;
  }
  errno = ETIMEDOUT;
  return false;
}

static bool start(int fd, const struct sockaddr_storage *to, socklen_t size, int64_t end)
{
  int failed = 0;
  socklen_t n = sizeof failed;
  if (connect(fd, (const struct sockaddr *)to, size) == 0)
    return true;
  if (errno != EINPROGRESS || !is_ready(fd, POLLOUT, end))
    return false;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &n) == 0 && failed)
    errno = failed;
  return !failed;
}

static bool send_all(int fd, ho_str text, int64_t end)
{
  for (size_t at = 0; at < text.n;) {
    ssize_t n = send(fd, text.p + at, text.n - at, MSG_NOSIGNAL);
    if (n > 0)
      at += (size_t)n;
    else if (n < 0 && errno != EAGAIN && errno != EINTR)
      return false;
    else if (!is_ready(fd, POLLOUT, end))
      return false;
  }
  return true;
}

/* Reads until the head of the answer is there; what follows it is of no interest. */
static bool read_head(int fd, char *bytes, size_t *n, int64_t end)
{
  for (*n = 0; *n < ANSWER_MOST;) {
    ssize_t got = recv(fd, bytes + *n, ANSWER_MOST - *n, 0);
    if (got > 0)
      *n += (size_t)got;
    else if (got == 0)
      return *n > 0;
    else if (errno != EAGAIN && errno != EINTR)
      return false;
    else if (!is_ready(fd, POLLIN, end))
      return false;
    if (ho_str_has((ho_str){bytes, *n}, "\r\n\r\n"))
      return true;
  }
  return true;
}

static ho_code read_status(ho_str answer, int *status, unsigned *retry_s, ho_error *err)
{
  ho_str line;
  uint64_t number = 0, seconds = 0;
  *retry_s = 0;
  if (!ho_str_next_line(&answer, &line) || !ho_str_starts(line, "HTTP/1.") ||
      !ho_str_to_u64(ho_str_sub(line, 9, 12), &number) || number < 100 || number > 599)
    return ho_fail(err, HO_IO, "the collector does not answer in HTTP");
  *status = (int)number;
  while (ho_str_next_line(&answer, &line) && line.n)
    if (ho_str_starts_nocase(line, "retry-after:") &&
        ho_str_to_u64(ho_str_trim(ho_str_sub(line, strlen("retry-after:"), line.n)), &seconds))
      *retry_s = seconds > 3600 ? 3600 : (unsigned)seconds;
  return HO_OK;
}

ho_code ho_post_json(ho_arena *arena, const ho_post_url *url, const char *more, ho_str body, int64_t ms, int *status,
                     unsigned *retry_s, ho_error *err)
{
  struct sockaddr_storage to = {0};
  socklen_t size;
  char answer[ANSWER_MOST];
  size_t n = 0;
  int64_t end = ho_time_monotonic_ms() + ms;
  ho_code code = address_of(arena, url, &to, &size, err);
  if (code)
    return code;
  ho_str head = ho_arena_printf(arena,
                                "POST %.*s%s HTTP/1.1\r\nHost: %.*s\r\nContent-Type: application/json\r\n"
                                "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                                HO_ARG(url->path), more, HO_ARG(url->authority), body.n);
  code = ho_arena_code(arena, err);
  if (code)
    return code;
  int fd = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  bool good = fd >= 0 && start(fd, &to, size, end) && send_all(fd, head, end) && send_all(fd, body, end) &&
              read_head(fd, answer, &n, end);
  if (!good)
    code = ho_fail(err, HO_IO, "the collector at %.*s does not answer: %s", HO_ARG(url->authority), strerror(errno));
  if (fd >= 0)
    close(fd);
  return code ? code : read_status((ho_str){answer, n}, status, retry_s, err);
}
