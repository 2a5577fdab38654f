/* http_load PORT CONNECTIONS MS FILE: sends the request in the file on each connection, again as soon as it is answered, for so long;
 * prints the answers per second. Fails if one is not 200. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, ANSWER = 1 << 16 };

static struct conn {
  int fd;
  size_t have;
  char answer[ANSWER];
} conns[MOST];
static struct pollfd polled[MOST];
static char request[65536];
static size_t request_size;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *why, const char *more)
{
  fprintf(stderr, "http_load: %s: %.300s\n", why, more);
  exit(1);
}

static void ask(const struct conn *c)
{
  if (write(c->fd, request, request_size) != (ssize_t)request_size)
    fail("cannot send", "");
}

/* Is the answer whole? */
static int is_whole(struct conn *c)
{
  c->answer[c->have] = 0;
  const char *end = strstr(c->answer, "\r\n\r\n"), *length = strcasestr(c->answer, "content-length:");
  if (!end || !length || length > end)
    return 0;
  if (strncmp(c->answer, "HTTP/1.1 200", 12) != 0)
    fail("not 200", c->answer);
  return c->have >= (size_t)(end + 4 - c->answer) + strtoul(length + 15, NULL, 10);
}

int main(int argc, char **argv)
{
  if (argc != 5)
    return 2;
  int count = atoi(argv[2]);
  unsigned long answers = 0;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1]))};
  FILE *file = fopen(argv[4], "r");
  request_size = file ? fread(request, 1, sizeof request, file) : 0;
  if (!request_size || count < 1 || count > MOST)
    return 2;
  fclose(file);
  inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
  for (int i = 0; i < count; i++) {
    conns[i].fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(conns[i].fd, (struct sockaddr *)&at, sizeof at))
      fail("cannot connect", argv[1]);
    polled[i] = (struct pollfd){.fd = conns[i].fd, .events = POLLIN};
    ask(&conns[i]);
  }
  double begin = now(), end = begin + atoi(argv[3]) / 1000.0;
  while (now() < end) {
    if (poll(polled, (nfds_t)count, 1000) <= 0)
      fail("no answer", "");
    for (int i = 0; i < count; i++) {
      struct conn *c = &conns[i];
      if (!(polled[i].revents & (POLLIN | POLLHUP)))
        continue;
      ssize_t n = read(c->fd, c->answer + c->have, ANSWER - 1 - c->have);
      if (n <= 0)
        fail("the connection was closed", c->answer);
      c->have += (size_t)n;
      if (!is_whole(c))
        continue;
      answers++;
      c->have = 0;
      ask(c);
    }
  }
  printf("%.0f\n", (double)answers / (now() - begin));
  return 0;
}
