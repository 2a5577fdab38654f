#include "engine/ledger/person.h"

#include <unistd.h>

#include "base/term.h"
#include "engine/project/identity.h"

ho_code ho_person_not_agent(ho_error *err)
{
  const char *sign = ho_identity_agent_sign();
  if (!sign)
    return HO_OK;
  /* HANDOFF_AGENT is also set by people who try things out; a harness's variable never is. */
  bool ours = strcmp(sign, "HANDOFF_AGENT") == 0;
  return ho_fail(err, HO_GATED, "a person must decide, but %s is set, so an agent is running this%s", sign,
                 ours ? "; if you are a person, run: unset HANDOFF_AGENT"
                      : "; a person runs it in a terminal that no agent has started");
}

static ho_code present(void *world, ho_error *err)
{
  (void)world;
  if (ho_term_is(STDIN_FILENO) && (ho_term_is(STDERR_FILENO) || ho_term_is(STDOUT_FILENO)))
    return HO_OK;
  return ho_fail(err, HO_GATED, "a person must decide, at a terminal");
}

static void show(int fd, ho_arena *arena, ho_str shown)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_term_put(&text, shown, HO_TERM_LINES);
  ho_term_say(fd, ho_buf_move(&text, arena));
}

static ho_code ask_passphrase(void *world, ho_arena *arena, ho_str shown, ho_str question, char *out, size_t size,
                              ho_error *err)
{
  int fd;
  (void)world;
  ho_code code = ho_term_open(&fd, err);
  if (code)
    return code;
  show(fd, arena, shown);
  code = ho_term_ask(fd, question, true, out, size, err);
  close(fd);
  return code;
}

static ho_code ask_agreement(void *world, ho_arena *arena, ho_str shown, ho_str question, ho_error *err)
{
  char answer[16];
  int fd;
  (void)world;
  ho_code code = ho_term_open(&fd, err);
  if (code)
    return code;
  show(fd, arena, shown);
  code = ho_term_ask(fd, question, false, answer, sizeof answer, err);
  close(fd);
  if (!code && strcmp(answer, "yes") != 0)
    code = ho_fail(err, HO_GATED, "the answer was not 'yes'; nothing was done");
  return code;
}

const ho_person ho_person_terminal = {.present = present, .passphrase = ask_passphrase, .agree = ask_agreement};
