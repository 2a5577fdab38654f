/* Is the server of any use? It is if the project's store can be read. */
#include "engine/project/project.h"
#include "surface/http/http_route.h"

static void look(ho_http_exchange *x)
{
  const ho_host *host = ho_http_host(x->server);
  ho_project project = {.arena = &x->arena,
                        .root = host->root,
                        .store_url = host->store,
                        .clock_ms = host->clock_ms,
                        .world = host->world};
  ho_node *answer = ho_node_new(&x->arena, HO_KIND_MAP);
  ho_error err = {0};
  int64_t newest = 0;
  ho_code code = ho_project_begin(&project, &err);
  bool empty = !code && !ho_project_has_store(&project) && !ho_project_refuse_lost(&project, &err);
  if (!code && !empty)
    code = ho_project_open(&project, HO_OPEN_EXISTING, &err);
  if (!code && !empty)
    code = ho_project_newest_event(&project, &newest, &err);
  ho_project_close(&project);
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
