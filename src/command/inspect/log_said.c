#include "command/inspect/log_said.h"

#include "base/term.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/turn.h"
#include "engine/project/quote.h"
#include "model/lifecycle.h"

/* What the actor did. "{key}" is a name in the event's data, and the text in brackets is there only with it. */
typedef struct phrase {
  const char *event, *text;
} phrase;

static const char *const moves[HO_EVENT_COUNT] = {
    [HO_EVENT_SENT] = "sent it[ to {to}]",
    [HO_EVENT_DRAFTED] = "drafted it[ for {agent}]",
    [HO_EVENT_CONFIRMED] = "confirmed the draft",
    [HO_EVENT_CLAIMED] = "claimed it[ until {lease_until}]",
    [HO_EVENT_ACKED] = "acknowledged it",
    [HO_EVENT_BLOCKED] = "cannot begin",
    [HO_EVENT_LAPSED] = "saw the claim expire[, which {holder} had]",
    [HO_EVENT_RELEASED] = "gave it back",
    [HO_EVENT_ANSWERED] = "answered",
    [HO_EVENT_DONE] = "finished the work",
    [HO_EVENT_RETURNED] = "returned the result[ as {by}]",
    [HO_EVENT_FINISHED] = "finished the phase",
    [HO_EVENT_REJECTED] = "rejected it",
    [HO_EVENT_WITHDRAWN] = "took it back",
    [HO_EVENT_WORK_LAPSED] = "saw the lease on the work expire[, which {holder} had]",
    [HO_EVENT_GATED] = "asks a person[ at {gate}]",
    [HO_EVENT_APPROVED] = "approved it[ at {gate}]",
    [HO_EVENT_GATE_REJECTED] = "rejected it[ at {gate}]",
    [HO_EVENT_EXHAUSTED] = "asks a person after too many attempts[, at {gate}]",
    [HO_EVENT_EXPIRED] = "saw the deadline pass",
    [HO_EVENT_SUPERSEDED] = "ended it[, replaced by {by}]",
    [HO_EVENT_ARCHIVED] = "archived it",
};

static const phrase notes[] = {
    {HO_NOTE_ASKED, "asked"},
    {HO_NOTE_ANSWER, "answered"},
    {HO_NOTE_SETTLED, "answered what it asks"},
    {HO_NOTE_GATE_RAISED, "asks a person[ at {gate}]"},
    {HO_NOTE_GATE_QUESTION, "asked back[ at {gate}]"},
    {HO_NOTE_GATE_DECIDED, "decided[ {gate}][: {decision}]"},
    {HO_NOTE_GATE_ANSWER, "answered the question[ of {gate}]"},
    {HO_NOTE_MOVED, "moved its files"},
    {HO_NOTE_RESUMED, "resumed the task"},
    {"revoked", "took something back that it says"},
    {"claimed_again", "claimed it again"},
};

static const char *phrase_of(ho_str event)
{
  for (int kind = 0; kind < HO_EVENT_COUNT; kind++)
    if (ho_str_is(event, ho_event_kind_name((ho_event_kind)kind)))
      return moves[kind];
  for (size_t i = 0; i < HO_COUNT(notes); i++)
    if (ho_str_is(event, notes[i].event))
      return notes[i].text;
  return NULL;
}

/* The part in brackets, if the data has the name in it. */
static void put_part(ho_buf *out, ho_str part, const ho_node *data)
{
  size_t from = ho_str_find_char(part, '{'), to = ho_str_find_char(part, '}');
  ho_str name = ho_node_str(ho_map_get(data, ho_str_sub(part, from + 1, to)));
  if (!name.n)
    return;
  ho_buf_put(out, ho_str_sub(part, 0, from));
  ho_quote_put_name(out, name);
  ho_buf_put(out, ho_str_sub(part, to + 1, part.n));
}

static void put_phrase(ho_buf *out, ho_str text, const ho_node *data)
{
  size_t open;
  while ((open = ho_str_find_char(text, '[')) != HO_NONE) {
    size_t close = ho_str_find_char(text, ']');
    ho_buf_put(out, ho_str_sub(text, 0, open));
    put_part(out, ho_str_sub(text, open + 1, close), data);
    text = ho_str_sub(text, close + 1, text.n);
  }
  ho_buf_put(out, text);
}

/* What was said with it, each thing in quotes. */
static void put_words(ho_buf *out, const ho_node *data)
{
  static const char *const keys[] = {"task", "questions", "blockers", "question", "note", "why"};
  const char *between = ": ";
  for (size_t i = 0; i < HO_COUNT(keys); i++) {
    const ho_node *value = ho_map_getz(data, keys[i]);
    const ho_node *item = ho_node_is(value, HO_KIND_LIST) ? value->first : value;
    for (; item && ho_node_str(item).n; item = ho_node_is(value, HO_KIND_LIST) ? item->next : NULL) {
      ho_buf_puts(out, between);
      ho_buf_putc(out, '"');
      ho_term_put(out, ho_node_str(item), HO_TERM_LINE);
      ho_buf_putc(out, '"');
      between = ", ";
    }
  }
}

void ho_log_said(ho_buf *out, const ho_node *event)
{
  const ho_node *data = ho_map_getz(event, "data");
  ho_str kind = ho_map_str(event, "event"), proof = ho_map_str(data, "proof");
  const char *text = phrase_of(kind);
  ho_quote_put_name(out, ho_map_str(event, "actor").n ? ho_map_str(event, "actor") : HO_STR("somebody"));
  ho_buf_putc(out, ' ');
  if (text)
    put_phrase(out, ho_str_of(text), data);
  else
    ho_quote_put_name(out, kind);
  if (proof.n) {
    ho_buf_puts(out, " (");
    ho_quote_put_name(out, proof);
    ho_buf_putc(out, ')');
  }
  put_words(out, data);
}
