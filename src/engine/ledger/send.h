/* Sending: a document becomes a handoff.
 *
 * ho_send_read does what needs no store: credentials, recognition, checks, artifacts and their digests, git. Then
 * ho_send_record routes it and records everything in one transaction. */
#ifndef HO_ENGINE_LEDGER_SEND_H
#define HO_ENGINE_LEDGER_SEND_H

#include "base/digest.h"
#include "engine/ledger/turn.h"
#include "model/document/read.h"
#include "store/handoffs/files.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

/* What ho_send_read found. */
typedef struct ho_send_seen {
  ho_doc doc;
  ho_report secrets;
  bool refused; /* doc.report or secrets has errors: it cannot be recorded, and the rest is not filled */
  ho_str body;  /* without credentials; what is stored is ho_send_body */
  char digest[HO_DIGEST_SIZE];
  ho_file *files; /* artifacts, the copy, and the details */
  size_t file_count;
  ho_str details; /* the text of these, without credentials; "" if there are none */
  ho_str head;    /* git's */
  ho_str tree;    /* "clean", "changed" or "" */
  int64_t deadline;
} ho_send_seen;

/* What ho_send_record did. */
typedef struct ho_send_made {
  ho_handoff row;
  ho_str gate;       /* the gate that was raised, or "" */
  ho_str like;       /* why that was raised, if nobody asked for it: a sentence, or "" */
  ho_str superseded; /* the handoff that it superseded, or "" */
  ho_str copies;     /* its copies, which were superseded with it, each after ", "; or "" */
  /* An open handoff from the same file to the same receiver that was left alone, and who works on it; "" */
  ho_str kept_for; /* the instance of the receiver that has it first, or "" */
  ho_str beside, beside_worker;
  bool beside_same; /* it has the same content */
  ho_str closed;    /* the handoff that it answers and ends, or "" */
  ho_str continued; /* the handoff that it continues and that is ready again, or "" */
  bool same;        /* it had been sent already (key, or `once`): nothing was done */
} ho_send_made;

/* One sending: what is asked, and what came of it. */
typedef struct ho_send {
  ho_project *project;
  ho_arena *arena;
  ho_str path;             /* as the user named it; "-" for standard input */
  ho_str full;             /* absolute; "" for standard input */
  ho_str text;             /* as read */
  ho_str details;          /* `pass`: the text of its details file, which is not there yet; "": that file is read */
  const ho_format *format; /* NULL: recognised */
  const ho_tokens *tokens;
  ho_str to, type, key; /* as given, or "" */
  ho_str returns;       /* `return`: the handoff it answers */
  ho_str gates;         /* `gate raise`: the handoff it is about */
  ho_str continues;     /* `pass`: the handoff that its author holds, and gives back with it */
  ho_str token;         /* claim token of the handoff it answers, or "" */
  bool only_gate;       /* `gate raise`: nothing but a gate is accepted */
  bool once;            /* if the same document is still open, this is that handoff */
  bool asked;           /* the caller asks people itself: no gate is raised, and a halted task is its own affair */
  /* More to do in the same transaction once the handoff has its row (files that change with it); may be NULL. */
  ho_code (*also)(struct ho_send *in, void *data, ho_error *err);
  void *also_data;

  ho_send_seen seen; /* filled by ho_send_read */
  ho_send_made made; /* filled by ho_send_record */
} ho_send;

ho_code ho_send_read(ho_send *in, ho_error *err) HO_NODISCARD;
/* The first error of a document that was refused; NULL if it was not. */
const ho_finding *ho_send_refusal(const ho_send *in);
ho_code ho_send_record(ho_send *in, ho_error *err) HO_NODISCARD;

/* Sets made.row.id: the author's own id if it is free and can name a file, else the next one (send_id.c). */
ho_code ho_send_choose_id(ho_send *in, ho_str wanted, ho_error *err) HO_NODISCARD;
/* The body as it is stored under this id. If the document states another id for itself, it is replaced: that one may
 * be another handoff's. */
ho_str ho_send_body(const ho_send *in, ho_str id);
/* Is it the same document that was stored as this handoff? */
bool ho_send_is_same(const ho_send *in, const ho_handoff *row);
/* Where a document states its own id, or NULL. */
const ho_node *ho_send_own_id(const ho_doc *doc);
/* What a reader finds in a document besides its values (send_margin.c): keys that its format does not have, and in YAML and
 * JSON comments, tags and names of anchors; "" if there are none. */
ho_str ho_send_margin(const ho_doc *doc, ho_arena *arena);

/* Sets made.row and made.same if the same document, from the same sender to the same receiver, is still open
 * (send_again.c). routed: the route was found; else the document may have ended the handoff that it answers, so that
 * there is no way for it any more. Inside the transaction. */
struct ho_route;
ho_code ho_send_find_open(ho_send *in, const struct ho_route *route, bool routed, ho_error *err) HO_NODISCARD;

/* The file was sent as `old`, to the same receiver (send_again.c). If this is a new version of it, and nobody has claimed
 * the old one, it is superseded, unless that waits for a gate that this one does not inherit (root: ho_gate.root of the
 * one it inherits, or ""); else made.beside names it. Inside the transaction. */
ho_code ho_send_again(ho_send *in, const ho_handoff *old, ho_str root, ho_error *err) HO_NODISCARD;

/* The handoff that this one continues is ready again, and whoever takes it is told to go on from this one, which is not
 * handed out by itself: it is superseded by what it continues (send_back.c). One that waits for a gate goes on by itself
 * once it is approved: nothing that a person has not approved travels with another. Inside the transaction. */
ho_code ho_send_give_back(ho_send *in, ho_error *err) HO_NODISCARD;

/* A handoff that had a gate, and that a document is much like (send_alike.c). */
typedef struct ho_send_like {
  bool waits;      /* no person has approved it: the document has to wait as well */
  ho_gate gate;    /* its gate */
  bool document;   /* the gate is about the handoff's own document */
  ho_str handoff;  /* its id */
  const char *how; /* "says the same as", … */
} ho_send_like;
/* Is there one whose gate the document must not get around? Inside the transaction. */
ho_code ho_send_find_like(ho_send *in, const struct ho_route *route, ho_str path, ho_send_like *out,
                          ho_error *err) HO_NODISCARD;

/* "HO-2026-004 says the same as HO-2026-001, which was rejected at G-2026-001, so it waits for a person as well" */
ho_str ho_send_like_sentence(ho_arena *arena, ho_str id, const ho_send_like *like);
/* The same for a draft that is to be confirmed, which nobody has sent. */
ho_code ho_send_draft_like(ho_project *project, const ho_handoff *draft, ho_arena *arena, ho_send_like *out,
                           ho_error *err) HO_NODISCARD;

/* Who sends it, who gets it, what type it is, which handoff it answers (route.c). Inside the transaction. */
typedef struct ho_route {
  ho_str sender, receiver, type, task, phase, id;
  ho_str parent;   /* the handoff it answers, or "" */
  ho_str kept_for; /* the instance of the receiver that was named, or "" */
  bool human;      /* a gate is raised */
  bool blocking;
  bool asks; /* the gate is a question, which its approval answers */
  ho_str gate_name;
} ho_route;
ho_code ho_route_find(ho_send *in, ho_route *out, ho_error *err) HO_NODISCARD;
/* The events that a document of its own kind triggers. */
ho_code ho_send_ack(ho_send *in, ho_error *err) HO_NODISCARD;
/* The files that go along with a document: calls visit for each path. */
void ho_route_files(const ho_doc *doc, void (*visit)(void *data, ho_str path), void *data);
#endif
