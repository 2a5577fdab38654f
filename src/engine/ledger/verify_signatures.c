/* What people signed: deciders, decisions and seals; and the seal that git has. */
#include <inttypes.h>

#include "engine/ledger/gate_read.h"
#include "engine/ledger/seal_sign.h"
#include "engine/ledger/verify_parts.h"
#include "engine/project/git.h"
#include "engine/project/paths.h"

enum { MOST = 1000000 };

typedef struct checking {
  ho_project *project;
  ho_arena *arena;
  ho_signed *out;
  ho_deciders deciders;
  ho_verify_flaw flaw;
  void *data;
} checking;

static ho_code check_gates(checking *c, ho_error *err)
{
  ho_gate_list gates;
  ho_error why = {0};
  ho_code code = ho_gate_read_list(c->project, HO_GATE_ANY, HO_EMPTY, MOST, c->arena, &gates, &why);
  if (code && why.rule && strcmp(why.rule, "store-word") == 0)
    return HO_OK; /* said by the comparison with the events */
  if (code)
    *err = why;
  for (size_t i = 0; !code && i < gates.count; i++) {
    const ho_gate *gate = &gates.rows[i];
    if (gate->doubt.n)
      code = c->flaw(c->data, "gate", gate->id, gate->doubt, err);
    else if (gate->state == HO_GATE_DECIDED && gate->proof.n)
      (*(gate->known != HO_GATE_KNOWN_SIGNED ? &c->out->decisions_unsigned
         : c->deciders.confirmed             ? &c->out->decisions_signed
                                             : &c->out->decisions_unconfirmed))++;
  }
  return code;
}

static ho_str number(ho_arena *arena, int64_t n)
{
  return ho_arena_printf(arena, "%" PRId64, n);
}

static ho_code check_seals(checking *c, ho_seal_list *seals, ho_error *err)
{
  ho_code code = ho_seals_select(c->project->store, false, c->arena, seals, err);
  for (size_t i = 0; !code && i < seals->count; i++) {
    const ho_seal_row *seal = &seals->rows[i];
    const ho_decider *signer = seal->signature.n ? ho_deciders_find(&c->deciders, seal->signer) : NULL;
    if (!seal->signature.n)
      continue;
    if (signer && ho_keypair_verify(signer->added.key, ho_seal_sign_statement(c->arena, c->deciders.project, seal),
                                    seal->signature))
      c->out->seals_signed++;
    else
      code = c->flaw(c->data, "seal", number(c->arena, seal->n), HO_STR("its signature is not that of a decider"), err);
  }
  c->out->seals = (int64_t)seals->count;
  return code;
}

/* The seal that was committed must be one of the store's. */
static ho_code check_committed(checking *c, const ho_seal_list *seals, ho_error *err)
{
  ho_str text;
  if (!ho_git_committed(c->arena, c->project->home, HO_PATH_SEAL, &text))
    return ho_arena_code(c->arena, err);
  ho_seal_row known = ho_seals_parse(c->arena, text);
  c->out->committed = known.n;
  const char *wrong =
      "git's newest commit has it, but the store does not: its history was replaced, or it is the seal of "
      "another clone's ledger";
  for (size_t i = 0; known.n && i < seals->count; i++) {
    const ho_seal_row *seal = &seals->rows[i];
    if (seal->n != known.n || !ho_str_eq(seal->hash, known.hash))
      continue;
    bool same =
        !known.signature.n || (ho_str_eq(seal->signature, known.signature) && ho_str_eq(seal->signer, known.signer));
    wrong = same ? NULL : "git's newest commit has a signature for it that the store does not have";
  }
  return known.n && wrong ? c->flaw(c->data, "seal", number(c->arena, known.n), ho_str_of(wrong), err) : HO_OK;
}

ho_code ho_verify_signatures(ho_project *project, ho_arena *arena, ho_signed *out, ho_verify_flaw flaw, void *data,
                             ho_error *err)
{
  checking c = {.project = project, .arena = arena, .out = out, .flaw = flaw, .data = data};
  ho_seal_list seals = {0};
  *out = (ho_signed){0};
  ho_code code = ho_deciders_load(project, arena, &c.deciders, err);
  if (code)
    return code;
  ho_deciders_ask_git(project, arena, &c.deciders);
  HO_EACH_CONST (text, c.deciders.flaws)
    if (!code)
      code = flaw(data, "decider", HO_STR(HO_PATH_DECIDERS), ho_node_str(text), err);
  out->unconfirmed = ho_deciders_unconfirmed(&c.deciders, arena);
  if (!code && c.deciders.required && !c.deciders.active)
    code = flaw(data, "decider", HO_STR(HO_PATH_DECIDERS), c.deciders.doubt, err);
  if (!code)
    code = check_gates(&c, err);
  if (!code)
    code = check_seals(&c, &seals, err);
  return code ? code : check_committed(&c, &seals, err);
}
