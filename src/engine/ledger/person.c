#include "engine/ledger/person.h"

#include <unistd.h>

#include "base/term.h"
#include "base/utf8.h"
#include "engine/project/access.h"
#include "engine/project/identity.h"

ho_code ho_person_not_agent(ho_error *err)
{
  const char *sign = ho_identity_agent_sign();
  if (!sign) /* nor has a request one: what its access may do is asked for by itself */
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
  return ho_fail(err, HO_GATED, "a person must decide, at a terminal; run the same command in one, without a pipe");
}

void ho_person_put_marked(ho_buf *out, ho_str text)
{
  ho_str line;
  while (ho_str_next_line(&text, &line)) {
    ho_buf_puts(out, HO_PERSON_MARK);
    for (ho_str part; ho_str_next(&line, '\t', &part);) { /* a terminal chooses how wide a tab is */
      ho_term_put(out, part, HO_TERM_LINE);
      if (line.p)
        ho_buf_puts(out, "    ");
    }
    ho_buf_putc(out, '\n');
  }
}

/* A marked line in rows that begin with the mark and do not reach the last column. What is not ASCII is counted as two
 * cells: terminals differ in how wide they show it, and none takes more. */
static void put_rows(ho_buf *out, ho_str line, size_t width)
{
  enum { MARK = sizeof HO_PERSON_MARK - 1 };
  size_t cells = MARK, from = MARK;
  ho_buf_puts(out, HO_PERSON_MARK);
  for (size_t at = MARK; at < line.n; from = at) {
    size_t more = ho_utf8_next(line, &at) < 0x80 ? 1 : 2;
    if (cells + more >= width) {
      ho_buf_puts(out, "\n" HO_PERSON_MARK);
      cells = MARK;
    }
    ho_buf_put(out, ho_str_sub(line, from, at));
    cells += more;
  }
}

ho_str ho_person_rows(ho_arena *arena, ho_str shown, size_t width)
{
  ho_buf text, rows;
  ho_str line;
  ho_buf_init(&text, 0);
  ho_buf_init(&rows, 0);
  ho_term_put(&text, shown, HO_TERM_COLOURS);
  for (ho_str rest = ho_buf_str(&text); ho_str_next_line(&rest, &line);) {
    if (ho_str_starts(line, HO_PERSON_MARK))
      put_rows(&rows, line, width);
    else
      ho_buf_put(&rows, line);
    ho_buf_putc(&rows, '\n');
  }
  ho_buf_free(&text);
  return ho_buf_move(&rows, arena);
}

static void show(int fd, ho_arena *arena, ho_str shown)
{
  ho_term_say(fd, ho_person_rows(arena, shown, ho_term_width(fd)));
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

/* ---- Of a request */

static ho_code has_asked(void *world, ho_error *err)
{
  (void)world;
  (void)err;
  return HO_OK;
}

static ho_code no_passphrase(void *world, ho_arena *arena, ho_str shown, ho_str question, char *out, size_t size,
                             ho_error *err)
{
  (void)world;
  (void)arena;
  (void)shown;
  (void)question;
  (void)out;
  (void)size;
  return ho_fail(err, HO_GATED,
                 "only signed decisions count here, and nobody can be asked for the passphrase; decide it at a "
                 "terminal: handoff gate");
}

static ho_code no_agreement(void *world, ho_arena *arena, ho_str shown, ho_str question, ho_error *err)
{
  (void)world;
  (void)arena;
  (void)shown;
  (void)question;
  return ho_fail(err, HO_GATED, "nobody can be asked here; run this at a terminal");
}

static const ho_person away = {.present = has_asked, .passphrase = no_passphrase, .agree = no_agreement};

const ho_person *ho_person_asked(void)
{
  const ho_access *access = ho_access_now();
  if (!access)
    return &ho_person_terminal;
  return access->person ? access->person : &away;
}
