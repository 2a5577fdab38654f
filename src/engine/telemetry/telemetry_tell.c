#include "engine/telemetry/telemetry_tell.h"

#include <unistd.h>

#include "base/post.h"
#include "base/time.h"
#include "engine/telemetry/telemetry_spans.h"

enum {
  POST_MS = 10000,     /* for one request */
  PATIENCE_MS = 10000, /* with a collector that takes nothing */
  PAUSE_MS = 500,      /* before it is tried again; twice as long each time */
  PAUSE_MOST_MS = 8000,
  AGAIN_MS = 60000, /* after which a command tries it again */
  BATCH_MOST = 16 << 20,
};

/* Is it worth trying again? What OTLP says of each status. */
static bool passes(int status)
{
  return status == 429 || status == 502 || status == 503 || status == 504;
}

/* Whoever asks for less, or for something else, is told so: the mark stays, and what follows is not lost. */
static bool is_setting(int status)
{
  return status == 401 || status == 403 || status == 404 || status == 405 || (status >= 300 && status < 400);
}

/* Offers one batch until it is taken, refused, or the patience is over. *taken: it was. */
static ho_code offer(ho_arena *arena, const ho_post_url *url, ho_str body, int64_t patience, bool *taken, ho_error *err)
{
  int64_t end = ho_time_monotonic_ms() + patience, pause = PAUSE_MS;
  for (;;) {
    int status = 0;
    unsigned retry_s = 0;
    ho_error failure = {0};
    ho_code code = ho_post_json(arena, url, "/v1/traces", body, POST_MS, &status, &retry_s, &failure);
    *taken = !code && status >= 200 && status < 300;
    if (*taken || code == HO_USAGE || code == HO_MEMORY) {
      *err = code ? failure : *err;
      return code;
    }
    if (!code && !passes(status) && !is_setting(status) && status < 500)
      return HO_OK;
    int64_t wait = (int64_t)retry_s * 1000 > pause ? (int64_t)retry_s * 1000 : pause;
    if (!code)
      ho_fail(&failure, HO_IO, "the collector answers with status %d", status);
    if ((!code && is_setting(status)) || ho_time_monotonic_ms() + wait > end) {
      *err = failure;
      return HO_IO;
    }
    usleep((useconds_t)wait * 1000);
    pause = pause * 2 > PAUSE_MOST_MS ? PAUSE_MOST_MS : pause * 2;
  }
}

/* Tells what there is. */
static ho_code tell_all(ho_project *project, const ho_post_url *url, ho_str to, int64_t patience,
                        ho_telemetry_told *out, ho_error *err)
{
  for (bool more = true; more;) {
    ho_arena arena;
    ho_buf body;
    size_t spans = 0;
    bool taken = true;
    ho_arena_init(&arena, 0);
    ho_buf_init(&body, BATCH_MOST);
    ho_telemetry_mark mark = ho_telemetry_read(&arena, project->home, to), next = mark;
    ho_code code = ho_telemetry_spans(project, &arena, &next, &body, &spans, &more, err);
    if (!code && spans)
      code = offer(&arena, url, ho_buf_str(&body), patience, &taken, err);
    next.again = 0;
    if (code == HO_IO) {
      ho_error none = {0};
      mark.again = ho_project_now(project) + AGAIN_MS;
      if (ho_telemetry_write(&arena, project->home, &mark, &none))
        mark.again = 0;
    } else if (!code) {
      *(taken ? &out->spans : &out->refused) += (int64_t)spans;
      code = ho_telemetry_write(&arena, project->home, &next, err);
    }
    ho_buf_free(&body);
    ho_arena_free(&arena);
    if (code)
      return code;
  }
  return HO_OK;
}

/* Has something happened since the mark? */
static bool is_behind(ho_project *project, ho_str to)
{
  ho_arena arena;
  ho_error none = {0};
  int64_t newest = 0;
  ho_arena_init(&arena, 0);
  bool behind =
      !ho_project_newest_event(project, &newest, &none) && newest > ho_telemetry_read(&arena, project->home, to).seq;
  ho_arena_free(&arena);
  return behind;
}

ho_code ho_telemetry_tell(ho_project *project, ho_str to, int64_t linger, ho_telemetry_told *out, ho_error *err)
{
  ho_post_url url;
  *out = (ho_telemetry_told){0};
  ho_code code = ho_post_url_read(to, &url, err);
  while (!code) {
    bool changed = true;
    int lock = ho_telemetry_lock(project->arena, project->home);
    if (lock < 0) {
      out->elsewhere = true;
      return HO_OK;
    }
    while (!code && changed) {
      code = tell_all(project, &url, to, linger > 0 ? PATIENCE_MS : 0, out, err);
      changed = false;
      if (!code && linger > 0)
        code = ho_store_wait(project->store, linger, &changed, err);
    }
    close(lock);
    if (code || !is_behind(project, to)) /* a command that came meanwhile has started nobody */
      return code;
  }
  return code;
}
