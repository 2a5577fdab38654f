#include "surface/mcp/mcp_seal.h"

#include "base/digest.h"
#include "base/private.h"
#include "base/time.h"
#include "doc/json/json.h"

enum { LASTS_MS = 3600 * 1000 };

static const char name[] = "key";

/* The user's key, made when it is first needed. Where nothing can be kept, it lasts as long as the server. */
static ho_str key_of(ho_mcp *mcp, ho_arena *arena)
{
  ho_error none = {0};
  ho_private place = {.folder = ho_private_data(arena), .kind = "mcp"};
  ho_str kept = HO_EMPTY;
  char made[HO_DIGEST_SIZE];
  if (mcp->key[0])
    return ho_str_of(mcp->key);
  if (ho_private_read(arena, &place, name, &kept, &none) || !ho_digest_valid(ho_str_trim(kept))) {
    if (ho_random_hex(made, HO_DIGEST_BYTES, &none))
      return HO_EMPTY;
    kept = ho_arena_copy(arena, ho_str_of(made));
    if (ho_private_write(arena, &place, name, kept, &none))
      none = (ho_error){0}; /* it is another one the next time */
  }
  kept = ho_str_trim(kept);
  for (size_t i = 0; i < kept.n && i < sizeof mcp->key - 1; i++)
    mcp->key[i] = kept.p[i];
  return ho_str_of(mcp->key);
}

/* What the state belongs to: the method, what it is asked for, and by whom. */
static ho_str purpose_of(const ho_mcp_request *r)
{
  ho_buf text;
  char digest[HO_DIGEST_SIZE];
  static const char *const parts[] = {"name", "uri", "arguments"};
  ho_buf_init(&text, 0);
  ho_json_write_text(&text, r->method);
  ho_json_write_text(&text, r->client.name);
  ho_json_write_text(&text, r->mcp->host->folder);
  if (r->mcp->host->access)
    ho_json_write_text(&text, ho_access_shown(r->mcp->host->access, r->arena));
  for (size_t i = 0; i < HO_COUNT(parts); i++) {
    const ho_node *part = ho_map_getz(r->params, parts[i]);
    bool nothing = ho_node_absent(part) || (!part->count && part->kind == HO_KIND_MAP);
    ho_buf_puts(&text, ",");
    if (!nothing)
      ho_json_write(&text, part, 0);
  }
  ho_digest_text(ho_buf_str(&text), digest);
  ho_buf_free(&text);
  return ho_arena_copy(r->arena, ho_str_of(digest));
}

static ho_str mac_of(const ho_mcp_request *r, ho_str text)
{
  char mac[HO_DIGEST_SIZE];
  ho_str key = key_of(r->mcp, r->arena);
  if (!key.n)
    return HO_EMPTY;
  ho_digest_keyed(key, text, mac);
  return ho_arena_copy(r->arena, ho_str_of(mac));
}

ho_str ho_mcp_seal(const ho_mcp_request *r, const ho_node *state)
{
  ho_buf json;
  ho_node *all = ho_node_new(r->arena, HO_KIND_MAP);
  ho_map_put(r->arena, all, "for", purpose_of(r));
  ho_map_addz(all, "until", ho_node_number(r->arena, ho_time_now_ms() + LASTS_MS));
  ho_map_addz(all, "state", ho_node_copy(r->arena, state));
  ho_buf_init(&json, 0);
  ho_json_write(&json, all, 0);
  ho_str text = ho_buf_move(&json, r->arena), mac = mac_of(r, text);
  return mac.n ? ho_arena_printf(r->arena, "%.*s.%.*s", HO_ARG(mac), HO_ARG(text)) : HO_EMPTY;
}

const ho_node *ho_mcp_seal_open(const ho_mcp_request *r, ho_str sealed)
{
  ho_str text = sealed, mac;
  ho_source source;
  ho_error none = {0};
  ho_node *all = NULL;
  long long until = 0;
  if (!ho_str_next(&text, '.', &mac) || mac.n != HO_DIGEST_SIZE - 1 || !ho_digest_eq(mac, mac_of(r, text)))
    return NULL;
  if (ho_source_init(&source, r->arena, HO_STR("state"), text, &none) ||
      ho_json_read(&source, 0, r->arena, NULL, &all, &none))
    return NULL;
  until = ho_map_int(all, "until");
  return until > ho_time_now_ms() && ho_str_eq(ho_map_str(all, "for"), purpose_of(r)) ? ho_map_getz(all, "state")
                                                                                      : NULL;
}
