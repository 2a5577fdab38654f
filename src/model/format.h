/* One table per format.
 *
 * A format is data: records of fields, and rules. The typed tree (bind.h), the findings (check.h), the writers
 * (write.h), the JSON Schema (json_schema.h), the empty template and the example all come from the table. Nothing
 * about a format is written down anywhere else. Lists of words in a table ("a|b|c") are separated by '|'. */
#ifndef HO_MODEL_FORMAT_H
#define HO_MODEL_FORMAT_H

#include "doc/markdown/markdown.h"
#include "doc/report.h"
#include "model/syntax.h"

typedef enum ho_encoding { HO_JSON, HO_YAML, HO_MARKDOWN } ho_encoding;
const char *ho_encoding_name(ho_encoding encoding);    /* "json", "yaml", "md" */
bool ho_encoding_named(ho_str name, ho_encoding *out); /* also "yml", "markdown" */

typedef enum ho_type {
  HO_T_TEXT,
  HO_T_ID, /* a whole number or a text: phases and objectives; written as a number if it is one */
  HO_T_INT,
  HO_T_NUMBER,
  HO_T_BOOL,
  HO_T_RECORD, /* a map with the fields of `record` */
  HO_T_LIST,   /* of `item`; of `record` if item is HO_T_RECORD */
  HO_T_ANY,    /* anything; kept as is */
} ho_type;

enum {                  /* flags of a field */
       HO_REQUIRED = 1, /* absent or empty: error `required` */
       HO_EXPECTED = 2, /* absent or empty: warning `expected`; an error when the program itself writes (env.strict) */
       HO_NULLABLE = 4, /* null is a valid value and not reported */
       HO_OPEN = 8,     /* a value outside `choices` is only the warning `choice-open` */
       HO_MAY_BE_EMPTY = 16, /* with REQUIRED: the key must exist, but an empty list or text is fine */
       HO_GENERATED = 32,    /* an id that is made from the record's main text if absent: "gotcha-1f2e3d4c" */
};

/* What a field is for, across formats. Conversion, prompts and knowledge go by role. */
typedef enum ho_role {
  HO_ROLE_NONE,       /* nothing that another format has too */
  HO_ROLE_TASK,       /* what the work is: task, phase, goal, the request itself */
  HO_ROLE_NEXT,       /* what to do next */
  HO_ROLE_STATE,      /* where the work is: file, place, what is done, what is tested */
  HO_ROLE_DECISIONS,  /* what was decided, and why */
  HO_ROLE_PATTERNS,   /* what to follow in other work of this kind */
  HO_ROLE_DEAD_ENDS,  /* what was tried and failed, and why */
  HO_ROLE_WARNINGS,   /* what to beware of */
  HO_ROLE_FACTS,      /* what one must know to go on */
  HO_ROLE_REFERENCES, /* where to read more: files, documents, artifacts */
  HO_ROLE_QUESTIONS,  /* what is unanswered */
  HO_ROLE_BLOCKERS,   /* what keeps the work from going on */
  HO_ROLE_OUTCOME,    /* how it ended: status, summary, a decision at a gate */
  HO_ROLE_CONTRACT,   /* what the result must be: criteria, constraints, the form of the answer */
  HO_ROLE_PARTIES,    /* who hands over, and to whom */
} ho_role;

/* How a field appears in a Markdown document. The heading or label is the field's `label`; its aliases count too. */
typedef enum ho_shape {
  HO_SHAPE_NONE,
  HO_SHAPE_TEXT,    /* a section: its text */
  HO_SHAPE_LABELS,  /* a section of `- **Label**: text` items, one per field of the record */
  HO_SHAPE_PAIRS,   /* a numbered section of `first: second`, the record's first two fields */
  HO_SHAPE_BULLETS, /* a bulleted section, one text per item */
  HO_SHAPE_REFS,    /* a bulleted section of `Kind: path, detail` */
  HO_SHAPE_CHECKS,  /* `- [ ] text` */
  HO_SHAPE_LABEL,   /* a `**Label**: text` line of the preamble (plans, metadata blocks) */
} ho_shape;

typedef struct ho_choice {
  const char *value;
  const char *doc;
  const char *synonyms; /* "done|completed": accepted with a warning, written as `value` */
} ho_choice;

typedef struct ho_record ho_record;

typedef struct ho_field {
  const char *name;  /* key in the tree; NULL ends a table */
  const char *label; /* for people: Markdown heading or label; NULL: the name with spaces for underscores */
  const char *doc;   /* one sentence */
  ho_type type;
  ho_type item; /* of a list */
  unsigned flags;
  const char *aliases;      /* other keys (or headings) for this field; accepted with a warning */
  const ho_choice *choices; /* ended by one without a value; for a list, the choices of its items */
  const ho_syntax *syntax;  /* likewise */
  const ho_record *record;  /* of a record, or of a list's items */
  unsigned min, max;        /* list: items; HO_T_INT: value; 0: no limit */
  unsigned max_tokens;      /* of a text; 0: no limit */
  ho_role role;
  ho_shape shape;
  const char *fallback; /* the value that an absent field means */
  const char *home;     /* for a field that is misplaced here: the record beside it where it belongs */
  const char *example;  /* of a scalar, or of a list's items */
} ho_field;

struct ho_record {
  const char *name;
  const ho_field *fields;
  const char *scalar; /* the field that a bare text sets (`to: human`); NULL: a bare text is an error */
  const char *list;   /* the key that a bare list of maps is put under; NULL: a bare list is an error */
  /* if a list of this record is given as a map, each key goes into this field; NULL: not accepted */
  const char *map_key;
};

typedef struct ho_format ho_format;
typedef struct ho_check ho_check;
typedef struct ho_rule ho_rule;

/* Rules hold for the whole document. Either `check` is a function, or the rule is data and appears in the JSON
 * Schema: if field `when` (dotted path) has one of the values `in`, every field of `require` must be present and not
 * empty; with `each`, in every item of that list (a field of the root). `when` NULL: always. A finding's pointer
 * names the missing field. */
struct ho_rule {
  ho_rule_info info; /* first, so that a rule can be passed as its info */
  const char *when, *in;
  const char *each, *require;
  void (*check)(ho_check *check, const ho_rule *rule);
  const char *ack; /* the check of an acknowledgement that a finding fails: "summary", "deliverable"; NULL: none */
  bool fact;  /* of a check: only the author can say what is missing, or which of two is true, so `fix` must leave it */
  bool aside; /* the value a finding points at contradicts others and is dispensable: `fix` moves it aside, as x_NAME */
};

/* A field of the root has this role if the field `when` says `is`. */
typedef struct ho_role_when {
  const char *name; /* of the field; NULL ends a table */
  const char *when, *is;
  ho_role role;
} ho_role_when;

typedef enum ho_sending_kind {
  HO_SEND_ON,       /* to the receiver it names, to --to, or to whoever asks for its task; a gate if that is a person */
  HO_SEND_REQUEST,  /* to --to, who has to answer it: a delegation */
  HO_SEND_RESPONSE, /* to the sender of the request that it answers and ends: a return */
  HO_SEND_GATE,     /* to a person, as a gate */
  HO_SEND_ACK,      /* to nobody: it is what the receiver of a handoff says about it */
} ho_sending_kind;

/* How a document is handed over. `send` goes by this alone (engine/ledger/route.c); it knows no format by name. Each
 * field is the path of a field in the document ("to.agent"); NULL: the format has no such field. */
typedef struct ho_sending {
  ho_sending_kind kind;
  const char *id;                        /* the author's own id for the handoff */
  const char *sender;                    /* otherwise the agent that runs `send` */
  const char *receiver;                  /* otherwise --to */
  const char *type;                      /* otherwise --type; only a document that has a type can become a return */
  const char *step;                      /* the sender's place in a workflow; null: it has none */
  const char *workflow;                  /* where that workflow stands */
  const char *task, *phase;              /* what the handoff is about */
  bool in_task_folder;                   /* a document that does not name its task takes it from its folder */
  const char *const *files;              /* lists of paths, or of records with a path, that go along; NULL-ended */
  const char *subject;                   /* "a.b|c": what it is about, in the first of these that says something */
  const char *summary;                   /* what a person who is asked reads first */
  const char *gate, *gate_type;          /* of a gate: its name; whether it is "blocking" */
  const ho_format *answers;              /* of a response: the format of its request */
  const char *decision;                  /* of a response: the outcome that is recorded for the request */
  const char *asks;                      /* of a response: decisions ("A|B") about which a person is asked first */
  const char *halts;                     /* of a response: decisions that halt its task */
  const char *deliverable, *constraints; /* what the receiver has to check before it starts */
} ho_sending;

struct ho_format {
  const char *name;     /* "package" */
  const char *title;    /* "Handoff package" */
  const char *doc;      /* a sentence or two */
  ho_encoding encoding; /* the one it is written in */
  const ho_record *root;
  const ho_rule *rules; /* ended by one without an id */
  const char *wrapper;  /* the single top-level key around the document ("handoff"); NULL: none */
  const char *wrapper_aliases;
  /* patterns with "*" (any run of characters within one name), matched against the last names of a path; those that
   * start with "!" come first and exclude names */
  const char *file_names;
  /* recognition by content: each entry is a list of keys of which one must be present (or, with a leading "!", none
   * may be); NULL-ended */
  const char *const *marks;
  const char *place; /* where `new` writes it: a template over the document's own fields; NULL: only --print */
  /* Markdown formats: from a document to its raw tree (keys as in the table), and back. */
  ho_code (*read_markdown)(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                           ho_report *report, ho_node **out, ho_error *err);
  void (*write_markdown)(const ho_format *format, const ho_node *root, ho_buf *out);
  /* Does a Markdown document whose name says nothing look like this format? */
  bool (*looks_like)(const ho_source *source, const ho_md *md);
  const ho_sending *sending; /* NULL: it stays in its file and cannot be sent */
  const ho_role_when *roles; /* roles that depend on another field; NULL: none do */
  const char *example;       /* a whole valid document in `encoding` */
};

/* All formats, NULL-ended, in the order in which recognition tries them (formats/formats.h). */
extern const ho_format *const ho_formats[];
const ho_format *ho_format_named(ho_str name); /* NULL if there is none */

/* The field with this key or alias (*alias says which), or NULL. */
const ho_field *ho_record_field(const ho_record *record, ho_str key, bool *alias);
const ho_field *ho_record_fieldz(const ho_record *record, const char *name);
/* Keys that any record may hold without a finding: those that start with "x_" or "$". */
bool ho_key_is_extra(ho_str key);

#define HO_FIELDS_END                                                                                                  \
  {                                                                                                                    \
    0                                                                                                                  \
  }
#define HO_RULES_END                                                                                                   \
  {                                                                                                                    \
    .info = { 0 }                                                                                                      \
  }
#endif
