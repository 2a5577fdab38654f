/* The phases of a plan (Markdown) or the steps of a workflow (YAML): what to do, in what order, and the status markers in
 * the plan's file. A run treats both alike: in the code of runs, in stores and in JSON, "step" means either. What people
 * read says "phase" for a plan's.
 *
 * Reading is lenient, as everywhere: markers may be missing or say more, headings may have other levels,
 * dependencies may be written in either style. Steps that wait for each other, for themselves or for steps that do
 * not exist are errors with their line. */
#ifndef HO_ENGINE_PLAN_PLAN_STEPS_H
#define HO_ENGINE_PLAN_PLAN_STEPS_H

#include "model/document/read.h"

/* What a marker says about a step. */
typedef enum ho_plan_status {
  HO_PLAN_WAITING, /* NOT STARTED, no marker, or an unknown one */
  HO_PLAN_RUNNING, /* IN PROGRESS: also what a lead that was stopped leaves behind */
  HO_PLAN_PARTIAL,
  HO_PLAN_BLOCKED,
  HO_PLAN_DONE,
  HO_PLAN_SKIPPED, /* somebody decided to do without it: it is not run, but what depends on it may be */
  HO_PLAN_HELD,    /* DEFERRED, ABANDONED: neither it nor what depends on it is run */
} ho_plan_status;
/* "NOT STARTED", "IN PROGRESS", "PARTIAL", "BLOCKED", "COMPLETED", "SKIPPED", "DEFERRED". */
const char *ho_plan_steps_marker(ho_plan_status status);
#define HO_PLAN_IMPLEMENTING "IMPLEMENTING" /* of a plan that is being carried out */

typedef enum ho_plan_kind { HO_PLAN_WRITE, HO_PLAN_RESEARCH, HO_PLAN_VALIDATE, HO_PLAN_PARALLEL } ho_plan_kind;
const char *ho_plan_steps_kind_name(ho_plan_kind kind); /* "write", …: also the phase of a request */

typedef enum ho_plan_gate { HO_PLAN_NO_GATE, HO_PLAN_ADVISORY, HO_PLAN_BLOCKING_GATE } ho_plan_gate;

typedef struct ho_plan_task {
  ho_str text;
  bool done;
  uint32_t begin, end; /* the item in the text, from its box on; equal if it has none */
} ho_plan_task;

typedef struct ho_plan_step {
  ho_str id;   /* of a phase; for a workflow, the step's name */
  ho_str key;  /* the id in a form that is safe in file names; unique in the plan */
  ho_str name; /* its name for people; "" if it only has an id */
  ho_plan_status status;
  ho_str marker; /* the text between the brackets, or "" */
  unsigned line; /* of its heading or item, from 1 */
  size_t *needs; /* indexes of the steps that it depends on */
  size_t need_count;
  unsigned wave;          /* from 1; 0: it is not run (done, skipped, held, or waiting for one that is held) */
  ho_str goal;            /* or a workflow's instructions */
  ho_str section;         /* the phase as written in the plan, including its heading; "" in a workflow */
  ho_str *files, *checks; /* as the plan names them: "`src/a.c` - Add the field" */
  size_t file_count, check_count;
  ho_plan_task *tasks;
  size_t task_count;

  /* For workflows; a phase of a plan has the defaults. */
  ho_str agent;                   /* "": the one given to `run` */
  ho_str feature, spec, output;   /* for its request; "": what the workflow and its kind say */
  ho_str *constraints, *criteria; /* likewise; criteria: how to tell that it succeeded */
  size_t constraint_count, criterion_count;
  ho_plan_kind kind;
  ho_plan_gate gate;
  ho_str rule; /* for a parallel step: all, any, majority or a number; else "" */
  /* A parallel step with instructions is done by several agents, as separate steps named NAME.1, NAME.2 … (those
   * named in `agent`, separated by commas; else as many as its rule says, if that is a number; else three). The step
   * itself then has no agent: it joins their results. A parallel step without instructions joins the steps that it
   * depends on. */
  bool voter; /* one of the several: if it fails, that is a vote, not a reason to stop or ask */
  bool join;  /* ends when everything it needs has ended, and is done if enough of that is, according to its rule */
  int64_t budget_tokens, budget_seconds; /* 0: none */

  /* The position of its marker in the text; begin == end: there is none, and this is where it belongs. */
  uint32_t mark_begin, mark_end;
} ho_plan_step;

typedef struct ho_plan_steps {
  const ho_format *format; /* plan or workflow */
  ho_str path;             /* as it was given */
  /* the task's number and name as stated in the document; title of a workflow: its name. May be "" */
  ho_str task, title;
  ho_str slug;         /* from a folder specs/N_SLUG in the path, which also gives the task if the text does not */
  ho_plan_step *items; /* in the document's order */
  size_t count;
  unsigned waves;
  uint32_t head_begin, head_end; /* the plan's own marker (**Status**: [...]); equal if there is none */
  uint64_t hash;                 /* of the text that the positions refer to */
} ho_plan_steps;

/* Reads a plan or workflow, recognised by name and content. Slices refer to `text` and to the arena, so both must
 * outlive the steps. HO_INVALID with rule, line and column if the steps cannot be ordered, or there are none;
 * HO_SYNTAX if the text cannot be read. */
ho_code ho_plan_steps_read(ho_arena *arena, ho_str path, ho_str text, ho_plan_steps *out, ho_error *err) HO_NODISCARD;

const ho_plan_step *ho_plan_steps_find(const ho_plan_steps *steps, ho_str id); /* NULL if there is none */

/* The plan `text`, as it was read, with the boxes of those tasks of the step ticked that `done` names, a list of texts: white
 * space does not matter, and boxes inside such a task go with it. *left: how many boxes of the step's section stay open.
 * No byte moves. */
ho_str ho_plan_steps_tick(const ho_plan_step *step, ho_arena *arena, ho_str text, const ho_node *done, size_t *left);

/* The same with the boxes of those tasks emptied that `undone` names. Boxes inside them stay: some may be done. */
ho_str ho_plan_steps_untick(const ho_plan_step *step, ho_arena *arena, ho_str text, const ho_node *undone);

/* The plan `now` with the marker of one step changed, or added if it has none; every other byte stays. id "" means
 * the plan's own status, which is left alone if it has no marker. marker: without brackets. `now` is the file's
 * current content: if people or agents have changed it since, it is read again to find the position (HO_NOT_FOUND if
 * the phase is gone, HO_SYNTAX if it can no longer be read); otherwise this only costs a hash and a copy. The
 * positions in *steps are updated to match *out, which must become the file's content; *out lives in `arena`. A
 * workflow has no markers: *out is `now`. */
ho_code ho_plan_steps_mark(ho_plan_steps *steps, ho_arena *arena, ho_str now, ho_str id, const char *marker,
                           ho_str *out, ho_error *err) HO_NODISCARD;
#endif
