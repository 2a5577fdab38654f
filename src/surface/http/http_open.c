#include "surface/http/http_open.h"

ho_code ho_http_open_store(ho_http_exchange *x, ho_arena *arena, ho_http_open *out, ho_error *err)
{
  const ho_host *host = ho_http_host(x->server);
  out->project = (ho_project){
      .arena = arena, .root = host->root, .store_url = host->store, .clock_ms = host->clock_ms, .world = host->world};
  ho_code code = ho_project_begin(&out->project, err);
  if (!code && !ho_project_has_store(&out->project))
    return ho_project_refuse_lost(&out->project, err);
  return code ? code : ho_project_open(&out->project, HO_OPEN_EXISTING, err);
}

void ho_http_open_close(ho_http_open *open)
{
  ho_project_close(&open->project);
}
