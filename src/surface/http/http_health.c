/* What those who watch the server ask: is it of any use, and how much is there? */
#include "store/store.h"
#include "surface/http/http_open.h"
#include "surface/http/http_route.h"
#include "surface/http/http_server.h"

static void look(ho_http_exchange *x)
{
  ho_http_open open;
  ho_node *answer = ho_node_new(&x->arena, HO_KIND_MAP);
  ho_error err = {0};
  int64_t newest = 0;
  ho_code code = ho_http_open_store(x, &x->arena, &open, &err);
  if (!code && open.project.store)
    code = ho_project_newest_event(&open.project, &newest, &err);
  ho_http_open_close(&open);
  if (code) {
    ho_http_answer_error(x, 503, &err);
    return;
  }
  ho_map_addz(answer, "status", ho_node_textz(&x->arena, "ok"));
  ho_map_addz(answer, "events", ho_node_number(&x->arena, newest));
  ho_http_answer_json(x, 200, answer);
}

void ho_http_health(ho_http_exchange *x)
{
  ho_http_work(x, look, HO_HTTP_QUICK);
}

static void put(ho_buf *out, const char *name, const char *type, const char *help, long long value)
{
  ho_buf_printf(out, "# HELP handoff_%s %s\n# TYPE handoff_%s %s\nhandoff_%s %lld\n", name, help, name, type, name,
                value);
}

static void measure(ho_http_exchange *x)
{
  ho_http_open open;
  ho_store_numbers numbers = {0};
  ho_error err = {0};
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_code code = ho_http_open_store(x, &x->arena, &open, &err);
  if (!code && open.project.store)
    code = ho_store_count(open.project.store, &numbers, &err);
  ho_http_open_close(&open);
  ho_buf_puts(&out, "# HELP handoff_info The version of the program.\n# TYPE handoff_info gauge\n");
  ho_buf_puts(&out, "handoff_info{version=\"" HO_VERSION "\"} 1\n");
  put(&out, "store_up", "gauge", "Whether the store can be read.", !code);
  put(&out, "handoffs", "gauge", "Handoffs in the store.", numbers.handoffs);
  put(&out, "events_total", "counter", "Events in the ledger.", numbers.events);
  put(&out, "gates_open", "gauge", "Gates that wait for a decision.", numbers.gates_open);
  put(&out, "store_bytes", "gauge", "Size of the database file.", numbers.bytes);
  put(&out, "http_connections", "gauge", "Open connections.", (long long)atomic_load(&x->server->counts.open));
  put(&out, "http_waiting", "gauge", "Requests that wait for something to happen, streams included.",
      (long long)atomic_load(&x->server->counts.waiting));
  put(&out, "http_requests_total", "counter", "Requests that were answered.",
      (long long)atomic_load(&x->server->counts.answered));
  put(&out, "http_refused_total", "counter", "Requests that were answered with 400 to 499.",
      (long long)atomic_load(&x->server->counts.refused));
  put(&out, "http_failed_total", "counter", "Requests that were answered with 500 or more.",
      (long long)atomic_load(&x->server->counts.failed));
  ho_http_answer(x, 200, "text/plain; version=0.0.4; charset=utf-8", ho_buf_str(&out));
  ho_buf_free(&out);
}

void ho_http_metrics(ho_http_exchange *x)
{
  ho_http_work(x, measure, HO_HTTP_QUICK);
}
