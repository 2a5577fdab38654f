#include "surface/http/http_kept.h"

#include <pthread.h>

#include "base/digest.h"
#include "base/time.h"
#include "surface/http/http_act.h"
#include "surface/http/http_watch.h"

enum { LASTS_MS = 1000, TOKENS = 64, ANSWERS = 32, ANSWER_MOST = 65536 };

/* Since when, and as of which change. */
typedef struct since {
  uint64_t changes; /* 0: there is nothing */
  int64_t until_ms;
} since;

typedef struct kept_token {
  since since;
  char digest[HO_DIGEST_SIZE];
  ho_access access;
  ho_arena arena;
} kept_token;

typedef struct kept_answer {
  since since;
  ho_str key, tag, body;
  ho_arena arena;
} kept_answer;

static struct {
  pthread_mutex_t lock;
  kept_token tokens[TOKENS];
  kept_answer answers[ANSWERS];
  size_t next_token, next_answer;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static since begin(uint64_t changes)
{
  return (since){changes, ho_time_monotonic_ms() + LASTS_MS};
}

static bool counts(const since *s, uint64_t changes)
{
  return s->changes && s->changes == changes && ho_time_monotonic_ms() < s->until_ms;
}

/* ---- Tokens. */

bool ho_http_kept_token(ho_http_exchange *x, ho_access *out)
{
  char digest[HO_DIGEST_SIZE];
  bool found = false;
  uint64_t changes = ho_http_watch_now(x->server);
  ho_digest_text(x->bearer, digest);
  pthread_mutex_lock(&kept.lock);
  for (size_t i = 0; i < TOKENS && !found; i++) {
    const kept_token *each = &kept.tokens[i];
    found = counts(&each->since, changes) && ho_digest_eq(ho_str_of(digest), ho_str_of(each->digest));
    if (!found)
      continue;
    *out = each->access;
    out->name = ho_arena_copy(&x->arena, each->access.name);
    out->who = ho_arena_copy(&x->arena, each->access.who);
  }
  pthread_mutex_unlock(&kept.lock);
  return found && !x->arena.failed;
}

void ho_http_kept_token_put(const ho_http_exchange *x, uint64_t changes, const ho_access *access)
{
  pthread_mutex_lock(&kept.lock);
  kept_token *slot = &kept.tokens[kept.next_token++ % TOKENS];
  ho_arena_free(&slot->arena);
  ho_arena_init(&slot->arena, 0);
  slot->since = begin(changes);
  slot->access = *access;
  slot->access.name = ho_arena_copy(&slot->arena, access->name);
  slot->access.who = ho_arena_copy(&slot->arena, access->who);
  ho_digest_text(x->bearer, slot->digest);
  if (slot->arena.failed)
    slot->since.changes = 0;
  pthread_mutex_unlock(&kept.lock);
}

/* ---- Answers. */

/* Who asks, from where, in which session, and for what. */
static ho_str key_of(ho_http_exchange *x)
{
  ho_error none = {0};
  ho_str session;
  if (ho_http_act_session(x, &session, &none))
    return HO_EMPTY;
  return ho_arena_printf(&x->arena, "%.*s\n%d\n%.*s\n%.*s", HO_ARG(ho_access_shown(x->access, &x->arena)),
                         x->access->files, HO_ARG(session), HO_ARG(x->request.target));
}

void ho_http_kept_say(ho_http_exchange *x, ho_str tag, ho_str body)
{
  bool same = ho_str_eq(tag, ho_http_request_header(&x->request, "if-none-match"));
  ho_http_header_add(x, "ETag", tag);
  ho_http_answer(x, same ? 304 : 200, HO_HTTP_JSON, body);
}

bool ho_http_kept_answer(ho_http_exchange *x)
{
  bool found = false;
  ho_str key = key_of(x);
  uint64_t changes = ho_http_watch_now(x->server);
  pthread_mutex_lock(&kept.lock);
  for (size_t i = 0; i < ANSWERS && !found && key.n; i++) {
    const kept_answer *each = &kept.answers[i];
    found = counts(&each->since, changes) && ho_str_eq(each->key, key);
    if (found)
      ho_http_kept_say(x, each->tag, each->body);
  }
  pthread_mutex_unlock(&kept.lock);
  return found;
}

void ho_http_kept_answer_put(ho_http_exchange *x, uint64_t changes, ho_str tag, ho_str body)
{
  ho_str key = body.n <= ANSWER_MOST ? key_of(x) : HO_EMPTY;
  if (!key.n)
    return;
  pthread_mutex_lock(&kept.lock);
  kept_answer *slot = &kept.answers[kept.next_answer++ % ANSWERS];
  ho_arena_free(&slot->arena);
  ho_arena_init(&slot->arena, 0);
  slot->since = begin(changes);
  slot->key = ho_arena_copy(&slot->arena, key);
  slot->tag = ho_arena_copy(&slot->arena, tag);
  slot->body = ho_arena_copy(&slot->arena, body);
  if (slot->arena.failed)
    slot->since.changes = 0;
  pthread_mutex_unlock(&kept.lock);
}
