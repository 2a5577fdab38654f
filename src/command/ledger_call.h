/* What the commands of the ledger share: opening it, their parameters, their results, how handoffs are listed. */
#ifndef HO_COMMAND_LEDGER_CALL_H
#define HO_COMMAND_LEDGER_CALL_H

#include "base/buf.h"
#include "command/call.h"
#include "command/table.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/respond.h"
#include "engine/project/project.h"
#include "store/handoffs/handoffs.h"

/* Is it the code of a store that does not exist although the user named it (--store, HANDOFF_STORE)? Commands that take
 * a project without a store as an empty one say so instead. */
bool ho_ledger_call_named(const ho_call *call, ho_code code);
/* Opens the store of call->project. create: makes it if there is none; else a project without one is HO_NOT_FOUND with
 * advice. */
ho_code ho_open_ledger(ho_call *call, bool create, ho_error *err) HO_NODISCARD;
/* For commands that only read. A project in which nothing was handed off is a fine project: its answers are empty,
 * project.store is NULL, and a note says how to begin. */
ho_code ho_ledger_call_maybe(ho_call *call, ho_error *err) HO_NODISCARD;
/* HO_USAGE if the store is not the one that the project's files follow. */
ho_code ho_ledger_call_own(const ho_call *call, ho_error *err) HO_NODISCARD;
/* For commands that only read: what follows from the handoffs in the store is derived first, if there is one. If that
 * is not possible, a note says what is not included. */
ho_code ho_ledger_call_derive(ho_call *call, ho_derived what, ho_error *err) HO_NODISCARD;
/* --token, or HANDOFF_TOKEN. */
ho_str ho_token_arg(const ho_call *call);
/* A number given as an option; 0 if it is not given. */
int64_t ho_number_arg(const ho_call *call, const char *name);
/* "90s", "5m", "2h", "3d", "1w" in milliseconds; false: it is no such text. */
bool ho_ledger_call_span(ho_str text, int64_t *ms);
/* --since as a time; 0 if it is not given. */
ho_code ho_since_arg(const ho_call *call, int64_t *out, ho_error *err) HO_NODISCARD;
/* The filter of list, log and search, and the ledger open for them (ho_ledger_call_maybe), with what has expired settled.
 * HO_USAGE if --since is not a time, or there is no such --state or --kind. */
ho_code ho_ledger_call_filter(ho_call *call, ho_filter *out, ho_error *err) HO_NODISCARD;
/* Adds a note if the result is as long as --limit allows: "only the newest 100 are shown". */
void ho_ledger_call_limit(ho_call *call, const char *which, size_t count, int64_t limit, const char *what);

extern const ho_record ho_handoff_record; /* a handoff in a result: what ho_describe_record gives */
extern const ho_record ho_changed_record; /* of a command that changes one handoff: that handoff, and notes */
extern const ho_record ho_gate_record;    /* what ho_describe_gate gives */
extern const ho_record ho_talk_record, ho_statement_record, ho_ack_check_record, ho_event_record;

/* The row's fields as members of the result. */
void ho_ledger_call_put(ho_call *call, const ho_handoff *row);
/* Opens the ledger, applies what a receiver says about a handoff, and puts the handoff into the result. */
ho_code ho_ledger_call_say(ho_call *call, ho_say *say,
                           ho_code (*act)(ho_project *project, ho_arena *arena, ho_say *say, ho_error *err),
                           ho_error *err) HO_NODISCARD;
/* Is there no handoff with that id because it is a gate's or a run's? Then the error says so, and what shows it. */
bool ho_ledger_call_elsewhere(ho_call *call, ho_str id, ho_error *err);
/* Handoffs for people: id, state, kind, from → to, task and phase, subject, who holds it, when. */
extern const ho_table_column ho_handoff_columns[];
/* Those of the result, as a table without a heading: `status` has several of them, under headings of their own. */
void ho_ledger_call_rows(const ho_call *call, ho_buf *out, const ho_node *handoffs, size_t indent, bool colour);
/* "ID is STATE" and a newline. */
void ho_render_state(const ho_call *call, ho_buf *out, bool colour);
/* A table's text, padded to `width` cells. */
void ho_put_padded(ho_buf *out, ho_str text, size_t width);

#define HO_PARAM_ID                                                                                                    \
  {                                                                                                                    \
    .name = "id", .label = "ID", .doc = "Id of the handoff.", .type = HO_T_TEXT, .flags = HO_REQUIRED | HO_POSITIONAL  \
  }
#define HO_PARAM_AS                                                                                                    \
  {                                                                                                                    \
    .name = "as", .label = "AGENT",                                                                                    \
    .doc = "Who acts: NAME or NAME/INSTANCE. Default: HANDOFF_AGENT, else its harness.", .type = HO_T_TEXT,            \
    .syntax = &ho_syntax_NAME                                                                                          \
  }
/* What a claim token looks like: anything else was never one, so it is a wrong argument. */
extern const ho_syntax ho_ledger_call_token;
#define HO_PARAM_TOKEN                                                                                                 \
  {                                                                                                                    \
    .name = "token", .label = "T", .doc = "Claim token from 'handoff next'. Default: HANDOFF_TOKEN.",                  \
    .type = HO_T_TEXT, .syntax = &ho_ledger_call_token                                                                 \
  }
#define HO_PARAM_LEASE                                                                                                 \
  {                                                                                                                    \
    .name = "lease", .label = "S", .doc = "Seconds that the claim lasts. Default: the setting 'lease'.",               \
    .type = HO_T_INT, .min = 1, .max = 604800                                                                          \
  }
#define HO_PARAM_ACK                                                                                                   \
  {                                                                                                                    \
    .name = "ack", .doc = "Acknowledge it at once, in the words of the handoff.", .type = HO_T_BOOL                    \
  }
#define HO_PARAM_SINCE                                                                                                 \
  {                                                                                                                    \
    .name = "since", .label = "TIME",                                                                                  \
    .doc = "Only items newer than TIME: a date, a time, yesterday, or an age such as 2h, 3d, 1w.", .type = HO_T_TEXT   \
  }
#define HO_FILTER_PARAMS                                                                                               \
  {.name = "to", .label = "AGENT", .doc = "Only handoffs to AGENT.", .type = HO_T_TEXT},                               \
      {.name = "from", .label = "AGENT", .doc = "Only handoffs from AGENT.", .type = HO_T_TEXT},                       \
      {.name = "state",                                                                                                \
       .label = "STATE",                                                                                               \
       .doc = "Only handoffs in this state, in one of several (ready,acked), or in any 'open' one.",                   \
       .type = HO_T_TEXT},                                                                                             \
      {.name = "kind",                                                                                                 \
       .label = "FORMAT",                                                                                              \
       .doc = "Only documents of this format.",                                                                        \
       .type = HO_T_TEXT,                                                                                              \
       .flags = HO_IS_FORMAT},                                                                                         \
      {.name = "mine", .doc = "Only handoffs to, from or held by you.", .type = HO_T_BOOL}, HO_PARAM_AS,               \
      {.name = "task", .label = "N", .doc = "Only handoffs of this task.", .type = HO_T_TEXT},                         \
      {.name = "phase", .label = "P", .doc = "Only handoffs of this phase.", .type = HO_T_TEXT}, HO_PARAM_SINCE,       \
  {                                                                                                                    \
    .name = "limit", .label = "N", .doc = "Maximum number of results.", .type = HO_T_INT, .min = 1, .max = 1000000,    \
    .fallback = "100"                                                                                                  \
  }
#define HO_TEXT_FIELD(key, what)                                                                                       \
  {                                                                                                                    \
    .name = key, .doc = what, .type = HO_T_TEXT, .flags = HO_NULLABLE                                                  \
  }
/* A file that follows the store and could not be written (engine/ledger/repair.h). */
extern const ho_record ho_unwritten_record;

#define HO_LIST_FIELD(key, what, of)                                                                                   \
  {                                                                                                                    \
    .name = key, .doc = what, .type = HO_T_LIST, .item = HO_T_RECORD, .record = &of, .flags = HO_MAY_BE_EMPTY          \
  }
#define HO_TEXTS_FIELD(key, what)                                                                                      \
  {                                                                                                                    \
    .name = key, .doc = what, .type = HO_T_LIST, .item = HO_T_TEXT, .flags = HO_MAY_BE_EMPTY                           \
  }
/* The fields of a list of members (engine/ledger/describe.h). */
#define HO_MEMBER_FIELD(kind, key, field, what) HO_MEMBER_##kind(key, what),
#define HO_MEMBER_LAST_FIELD(kind, key, field, what) HO_MEMBER_##kind(key, what)
#define HO_MEMBER_TEXT(key, what) HO_TEXT_FIELD(key, what)
#define HO_MEMBER_TIME(key, what) HO_TEXT_FIELD(key, what)
#define HO_MEMBER_NUMBER(key, what)                                                                                    \
  {                                                                                                                    \
    .name = key, .doc = what, .type = HO_T_INT                                                                         \
  }
#define HO_MEMBER_GATE_STATE(key, what) HO_TEXT_FIELD(key, what)
#define HO_MEMBER_DECISION(key, what) HO_TEXT_FIELD(key, what)
#define HO_MEMBER_KNOWN(key, what) HO_TEXT_FIELD(key, what)
#define HO_HANDOFF_FIELDS                                                                                              \
  HO_HANDOFF_MEMBERS(HO_MEMBER_FIELD, HO_MEMBER_LAST_FIELD),                                                           \
      HO_TEXT_FIELD("outcome", "How an archived handoff ended: done, finished, rejected, superseded or expired."),     \
      HO_TEXT_FIELD("sent_by", "Who sent it, in lists, if the document names no sender."),                             \
      HO_TEXT_FIELD("subject", "What it is about, in lists.")
#define HO_GATE_FIELDS HO_GATE_MEMBERS(HO_MEMBER_FIELD, HO_MEMBER_LAST_FIELD)
#endif
