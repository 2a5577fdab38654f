/* What handlers call: answers, and what comes after them. */
#include <unistd.h>

#include "command/error_shown.h"
#include "doc/json/json.h"
#include "surface/http/http_server.h"

const ho_host *ho_http_host(const ho_http_server *server)
{
  return server->host;
}

uint64_t ho_http_generation(const ho_http_exchange *x)
{
  return atomic_load(&x->server->generation);
}

bool ho_http_gone(const ho_http_exchange *x)
{
  return atomic_load(&x->inside->client_gone);
}

bool ho_http_ending(const ho_http_exchange *x)
{
  return atomic_load(&x->server->ending);
}

/* Has the loop look: at what is there to be sent, and at what else is said of it. */
static void wake(ho_http_exchange *x, bool returned, bool again)
{
  ho_http_server *server = x->server;
  uint64_t one = 1;
  pthread_mutex_lock(&server->lock);
  x->inside->returned = x->inside->returned || returned;
  x->inside->again = x->inside->again || again;
  if (!x->inside->told) {
    x->inside->told = true;
    x->inside->news = server->news;
    server->news = x;
  }
  pthread_mutex_unlock(&server->lock);
  (void)!write(server->wake_fd, &one, sizeof one);
}

/* There is something to be sent; the loop itself looks anyway. */
static void tell(ho_http_exchange *x)
{
  if (!pthread_equal(pthread_self(), x->server->thread))
    wake(x, false, false);
}

static const char *reason(int status)
{
  static const struct {
    int status;
    const char *text;
  } reasons[] = {{200, "OK"},
                 {202, "Accepted"},
                 {204, "No Content"},
                 {303, "See Other"},
                 {304, "Not Modified"},
                 {400, "Bad Request"},
                 {401, "Unauthorized"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {406, "Not Acceptable"},
                 {408, "Request Timeout"},
                 {409, "Conflict"},
                 {411, "Length Required"},
                 {413, "Content Too Large"},
                 {414, "URI Too Long"},
                 {415, "Unsupported Media Type"},
                 {417, "Expectation Failed"},
                 {421, "Misdirected Request"},
                 {422, "Unprocessable Content"},
                 {429, "Too Many Requests"},
                 {431, "Request Header Fields Too Large"},
                 {500, "Internal Server Error"},
                 {501, "Not Implemented"},
                 {503, "Service Unavailable"},
                 {505, "HTTP Version Not Supported"},
                 {507, "Insufficient Storage"}};
  for (size_t i = 0; i < HO_COUNT(reasons); i++)
    if (reasons[i].status == status)
      return reasons[i].text;
  return "Status";
}

void ho_http_header_add(ho_http_exchange *x, const char *name, ho_str value)
{
  for (size_t i = 0; i < value.n; i++) /* a header never becomes two */
    if ((unsigned char)value.p[i] < 0x20 || value.p[i] == 0x7f)
      return;
  ho_buf_printf(&x->inside->head, "%s: %.*s\r\n", name, HO_ARG(value));
}

/* The first line goes in front of the headers that were added. */
static void finish_head(ho_http_exchange *x, int status, const char *type, bool sized, size_t length)
{
  ho_http_inside *in = x->inside;
  struct ho_http_counts *counts = &x->server->counts;
  ho_buf head;
  ho_buf_init(&head, 0);
  atomic_fetch_add(status >= 500 ? &counts->failed : status >= 400 ? &counts->refused : &counts->answered, 1);
  ho_buf_printf(&head, "HTTP/1.1 %d %s\r\n", status, reason(status));
  ho_buf_put(&head, ho_buf_str(&in->head));
  if (!ho_str_has_nocase(ho_buf_str(&in->head), "cache-control:"))
    ho_buf_puts(&head, "Cache-Control: no-store\r\n");
  ho_buf_puts(&head, "X-Content-Type-Options: nosniff\r\n");
  if (type)
    ho_buf_printf(&head, "Content-Type: %s\r\n", type);
  if (sized && status != 204 && status != 304)
    ho_buf_printf(&head, "Content-Length: %zu\r\n", length);
  else if (!sized && !x->request.old)
    ho_buf_puts(&head, "Transfer-Encoding: chunked\r\n");
  if (x->request.closes || ho_http_ending(x) || (!sized && x->request.old)) {
    x->request.closes = true;
    ho_buf_puts(&head, "Connection: close\r\n");
  }
  ho_buf_puts(&head, "\r\n");
  ho_buf_free(&in->head);
  in->head = head;
}

void ho_http_answer(ho_http_exchange *x, int status, const char *type, ho_str body)
{
  ho_http_inside *in = x->inside;
  pthread_mutex_lock(&in->lock);
  if (!in->answered && !in->streams) {
    finish_head(x, status, type, true, body.n);
    if (!ho_str_is(x->request.method, "HEAD") && status != 304)
      ho_buf_put(&in->out, body);
    in->answered = true;
  }
  pthread_mutex_unlock(&in->lock);
}

void ho_http_answer_json(ho_http_exchange *x, int status, const ho_node *value)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_json_write(&text, value, 0);
  ho_buf_putc(&text, '\n');
  if (text.failed)
    ho_http_answer(x, 507, HO_HTTP_JSON, HO_STR("{\"error\":{\"code\":\"memory\",\"message\":\"out of memory\"}}\n"));
  else
    ho_http_answer(x, status, HO_HTTP_JSON, ho_buf_str(&text));
  ho_buf_free(&text);
}

void ho_http_answer_error(ho_http_exchange *x, int status, const ho_error *err)
{
  ho_http_answer_json(x, status ? status : ho_code_http(err->code), ho_error_shown(&x->arena, err, NULL));
}

void ho_http_stream(ho_http_exchange *x, int status, const char *type)
{
  ho_http_inside *in = x->inside;
  pthread_mutex_lock(&in->lock);
  if (!in->answered && !in->streams) {
    finish_head(x, status, type, false, 0);
    in->streams = true;
  }
  pthread_mutex_unlock(&in->lock);
  tell(x);
}

void ho_http_put(ho_http_exchange *x, ho_str piece)
{
  ho_http_inside *in = x->inside;
  if (!piece.n || ho_str_is(x->request.method, "HEAD"))
    return;
  pthread_mutex_lock(&in->lock);
  if (in->streams && !in->answered) {
    if (!x->request.old)
      ho_buf_printf(&in->out, "%zx\r\n", piece.n);
    ho_buf_put(&in->out, piece);
    if (!x->request.old)
      ho_buf_puts(&in->out, "\r\n");
  }
  pthread_mutex_unlock(&in->lock);
  tell(x);
}

void ho_http_end(ho_http_exchange *x)
{
  ho_http_inside *in = x->inside;
  pthread_mutex_lock(&in->lock);
  if (in->streams && !in->answered) {
    if (!x->request.old)
      ho_buf_puts(&in->out, "0\r\n\r\n");
    in->answered = true;
  }
  pthread_mutex_unlock(&in->lock);
  tell(x);
}

void ho_http_work(ho_http_exchange *x, ho_http_handler *work, ho_http_lane lane)
{
  x->inside->wants = HO_HTTP_WANTS_WORK;
  x->inside->work = work;
  x->inside->lane = lane;
}

void ho_http_wait(ho_http_exchange *x, int ms, bool changes)
{
  x->inside->wants = HO_HTTP_WANTS_WAIT;
  x->inside->wait_ms = ms;
  x->inside->wait_changes = changes;
}

void ho_http_again(ho_http_exchange *x)
{
  wake(x, false, true);
}

void ho_http_exchange_returned(ho_http_exchange *x)
{
  wake(x, true, false);
}
