/* What happens, as server-sent events: the id of each is its number in the ledger, so that whoever lost the connection gets
 * what came in between. They say what has happened to what, and nothing that a document says. */
#include <pthread.h>

#include "base/time.h"
#include "doc/json/json.h"
#include "engine/project/event_data.h"
#include "store/handoffs/events.h"
#include "surface/http/http_open.h"
#include "surface/http/http_route.h"
#include "surface/http/http_who.h"

enum { PAGE = 500, CAUGHT_UP = 100000 };

/* The stream of one client. */
typedef struct stream {
  int64_t seq; /* that it was told of last; -1: nothing yet, and only what comes is wanted */
} stream;

/* What was read last: clients that have seen the same are told the same, and the store is read once. */
typedef struct shared {
  pthread_mutex_t lock;
  uint64_t generation; /* of the store */
  int64_t from, to;
  ho_buf text;
  bool filled;
} shared;
static shared last = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void put_event(ho_buf *out, ho_arena *arena, const ho_event *event)
{
  ho_str gate = ho_map_str(ho_event_data_read(arena, event->data), "gate");
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, "seq", ho_node_number(arena, event->seq));
  ho_map_addz(map, "at", ho_node_text(arena, ho_time_str(arena, event->at)));
  ho_map_addz(map, "handoff", ho_node_text(arena, event->handoff));
  ho_map_addz(map, "event", ho_node_text(arena, event->kind));
  ho_map_addz(map, "by", ho_node_text(arena, event->actor));
  if (gate.n)
    ho_map_addz(map, "gate", ho_node_text(arena, gate));
  ho_buf_printf(out, "id: %lld\nevent: %s\ndata: ", (long long)event->seq, gate.n ? "gate" : "handoff");
  ho_json_write(out, map, 0);
  ho_buf_puts(out, "\n\n");
}

/* All events after `from`, the oldest first. */
static ho_code read_since(ho_store *store, ho_arena *arena, int64_t from, ho_event_list *out, ho_error *err)
{
  ho_event_list page = {0};
  int64_t before = 0;
  size_t room = PAGE;
  *out = (ho_event_list){.rows = ho_arena_array(arena, room, sizeof *out->rows)};
  for (bool more = true; more;) {
    ho_code code = ho_events_select(store, HO_EMPTY, before, PAGE, arena, &page, err);
    if (code)
      return code;
    more = page.count == PAGE && out->count < CAUGHT_UP;
    for (size_t i = 0; i < page.count; i++) {
      if (page.rows[i].seq <= from) {
        more = false;
        break;
      }
      if (out->count == room) {
        ho_event *wider = ho_arena_array(arena, room * 2, sizeof *wider);
        if (!wider)
          return ho_arena_code(arena, err);
        memcpy(wider, out->rows, out->count * sizeof *wider);
        out->rows = wider;
        room *= 2;
      }
      before = page.rows[i].seq;
      out->rows[out->count++] = page.rows[i];
    }
  }
  return ho_arena_code(arena, err);
}

/* Reads what the stream has not been told yet. */
static ho_code read_news(ho_http_exchange *x, stream *s, ho_buf *out, int64_t *to, ho_error *err)
{
  ho_http_open open;
  ho_event_list list = {0};
  int64_t newest = 0;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_code code = ho_http_open_store(x, &arena, &open, err);
  if (!code && open.project.store)
    code = ho_project_newest_event(&open.project, &newest, err);
  if (!code && s->seq >= 0 && newest > s->seq)
    code = read_since(open.project.store, &arena, s->seq, &list, err);
  if (!code && s->seq > newest) /* it is another store, or an older one */
    ho_buf_printf(out, "id: %lld\nevent: reset\ndata: {\"seq\":%lld}\n\n", (long long)newest, (long long)newest);
  for (size_t i = list.count; i > 0; i--)
    put_event(out, &arena, &list.rows[i - 1]);
  *to = newest;
  ho_http_open_close(&open);
  ho_arena_free(&arena);
  return code ? code : ho_buf_code(out, err);
}

static void tell(ho_http_exchange *x)
{
  stream *s = x->world;
  ho_error err = {0};
  uint64_t generation = ho_http_generation(x);
  ho_code code = HO_OK;
  if (ho_http_ending(x) || !ho_http_who_still(x)) {
    ho_http_end(x);
    return;
  }
  pthread_mutex_lock(&last.lock);
  if (!last.filled || last.generation != generation || last.from != s->seq) {
    ho_buf_free(&last.text);
    ho_buf_init(&last.text, 0);
    code = read_news(x, s, &last.text, &last.to, &err);
    last.filled = !code;
    last.generation = generation;
    last.from = s->seq;
  }
  ho_str text = code ? HO_EMPTY : ho_buf_str(&last.text);
  ho_http_put(x, text);
  if (!code)
    s->seq = last.to;
  pthread_mutex_unlock(&last.lock);
  ho_http_wait(x, code ? 5000 : -1, true); /* a store that cannot be read now is read later */
}

static void begin(ho_http_exchange *x)
{
  ho_http_header_add(x, "X-Accel-Buffering", HO_STR("no"));
  ho_http_stream(x, 200, "text/event-stream");
  ho_http_put(x, HO_STR("retry: 2000\n\n"));
  ho_http_work(x, tell, HO_HTTP_QUICK);
}

void ho_http_events(ho_http_exchange *x)
{
  stream *s = HO_NEW(&x->arena, stream);
  ho_str query = x->request.query, name, value, since = ho_http_request_header(&x->request, "last-event-id");
  ho_error err = {0};
  uint64_t number = 0;
  bool bad = false;
  ho_code code = ho_arena_code(&x->arena, &err);
  while (!code && !since.n && ho_http_request_param(&x->arena, &query, &name, &value, &bad))
    if (!bad && ho_str_is(name, "since"))
      since = value;
  if (!code && since.n && (!ho_str_to_u64(since, &number) || number > INT64_MAX))
    code = ho_fail(&err, HO_USAGE, "since (or Last-Event-ID) is not the number of an event");
  if (code) {
    ho_http_answer_error(x, 0, &err);
    return;
  }
  s->seq = since.n ? (int64_t)number : -1;
  x->world = s;
  begin(x);
}
