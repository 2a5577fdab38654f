#include "surface/http/http_act.h"

#include "engine/project/identity.h"

/* What the host of one request needs besides that of the server. */
typedef struct world {
  const ho_host *host;
  ho_str document;
} world;

static int64_t clock_ms(void *data)
{
  const world *w = data;
  return w->host->clock_ms(w->host->world);
}

static ho_code read_input(void *data, ho_arena *arena, ho_str *out, ho_error *err)
{
  const world *w = data;
  if (!w->document.p)
    return ho_fail(err, HO_USAGE, "give the document as text, in the member 'document' of the body");
  *out = ho_arena_copy(arena, w->document);
  return HO_OK;
}

ho_code ho_http_act_session(ho_http_exchange *x, ho_str *out, ho_error *err)
{
  *out = ho_http_request_header(&x->request, "handoff-session");
  return !out->n || ho_id_fits(*out) ? HO_OK
                                     : ho_fail(err, HO_USAGE,
                                               "the header Handoff-Session is not a name: use at most 64 letters, "
                                               "digits, '.', '_' and '-'");
}

static ho_code make_host(ho_http_exchange *x, ho_arena *arena, ho_str session, ho_host *out, ho_error *err)
{
  const ho_host *host = ho_http_host(x->server);
  world *w = HO_NEW(arena, world);
  ho_code code = session.n ? HO_OK : ho_http_act_session(x, &session, err);
  if (code)
    return code;
  if (w)
    *w = (world){.host = host};
  *out = (ho_host){.arena = arena,
                   .root = host->root,
                   .told_root = host->told_root,
                   .above = host->above,
                   .folder = host->root,
                   .store = host->store,
                   .program = host->program,
                   .library = host->library,
                   .session = session,
                   .access = x->access,
                   .clock_ms = clock_ms,
                   .world = w,
                   .read_input = read_input};
  return ho_arena_code(arena, err);
}

ho_code ho_http_act(ho_http_exchange *x, const ho_command *command, ho_call *call, ho_str session, ho_str document,
                    ho_error *err)
{
  ho_host host;
  call->arena = call->arena ? call->arena : &x->arena;
  ho_code code = make_host(x, call->arena, session, &host, err);
  if (code)
    return code;
  ((world *)host.world)->document = document;
  call->host = &host;
  code = ho_dispatch(command, call, err);
  ho_host_close(&host);
  call->host = NULL;
  return code;
}
