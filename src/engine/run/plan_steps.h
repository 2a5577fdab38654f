/* The steps of a plan (Markdown) or a workflow (YAML): what is to be done, in which order, and the status markers in the
 * plan's file.
 *
 * Reading is lenient as everywhere: markers may be missing or say more, headings may stand at other levels,
 * dependencies may be written in either style. Steps that wait for each other, for themselves or for steps that do not
 * exist are errors with their line. */
#ifndef HO_ENGINE_RUN_PLAN_STEPS_H
#define HO_ENGINE_RUN_PLAN_STEPS_H

#include "model/document/read.h"

/* What a marker says about a step. */
typedef enum ho_plan_status {
  HO_PLAN_WAITING, /* NOT STARTED, no marker, or one that is not known */
  HO_PLAN_RUNNING, /* IN PROGRESS: also what a lead that was stopped leaves behind */
  HO_PLAN_PARTIAL,
  HO_PLAN_BLOCKED,
  HO_PLAN_DONE,
  HO_PLAN_SKIPPED, /* somebody decided to go on without it: it is not run, and what depends on it may be */
  HO_PLAN_HELD,    /* DEFERRED, ABANDONED: neither it nor what depends on it is run */
} ho_plan_status;
/* "NOT STARTED", "IN PROGRESS", "PARTIAL", "BLOCKED", "COMPLETED", "SKIPPED", "DEFERRED". */
const char *ho_plan_steps_marker(ho_plan_status status);

typedef enum ho_plan_kind { HO_PLAN_WRITE, HO_PLAN_RESEARCH, HO_PLAN_VALIDATE, HO_PLAN_PARALLEL } ho_plan_kind;
const char *ho_plan_steps_kind_name(ho_plan_kind kind); /* "write", …: also the phase of a request */

typedef enum ho_plan_gate { HO_PLAN_NO_GATE, HO_PLAN_ADVISORY, HO_PLAN_BLOCKING_GATE } ho_plan_gate;

typedef struct ho_plan_task {
  ho_str text;
  bool done;
} ho_plan_task;

typedef struct ho_plan_step {
  ho_str id;   /* of a phase; name of a workflow's step */
  ho_str key;  /* the id as it may be part of a file's name; unique in the plan */
  ho_str name; /* what people call it; "" where it has none but its id */
  ho_plan_status status;
  ho_str marker; /* what stands between the brackets, or "" */
  unsigned line; /* of its heading or item, from 1 */
  size_t *needs; /* indexes of the steps that it depends on */
  size_t need_count;
  unsigned wave;          /* from 1; 0: it is not run (done, skipped, held, or waiting for one that is held) */
  ho_str goal;            /* or a workflow's instructions */
  ho_str section;         /* a phase as it stands in the plan, heading included; "" in a workflow */
  ho_str *files, *checks; /* as the plan names them: "`src/a.c` - Add the field" */
  size_t file_count, check_count;
  ho_plan_task *tasks;
  size_t task_count;

  /* Of a workflow; a plan's phase has the defaults. */
  ho_str agent; /* "": the one that run is told */
  ho_plan_kind kind;
  ho_plan_gate gate;
  ho_str rule; /* of a parallel step: all, any, majority or a number; else "" */
  /* A parallel step that has instructions is done by several agents: steps of their own named NAME.1, NAME.2 … (those
   * that `agent` names, separated by commas; else as many as a number says as its rule; else three). The step itself
   * has no agent then: it joins them. So does one without instructions, what it depends on. */
  bool voter; /* one of the several: that it fails is a vote, and no reason to stop or to ask */
  bool join;  /* ends when all that it needs has ended, and is done if enough of it is by its rule */
  int64_t budget_tokens, budget_seconds; /* 0: none */

  /* Where its marker is: bytes of the text; begin == end: there is none, and one belongs there. */
  uint32_t mark_begin, mark_end;
} ho_plan_step;

typedef struct ho_plan_steps {
  const ho_format *format; /* plan or workflow */
  ho_str path;             /* as it was given */
  ho_str task, title;  /* the task's number and name as the document says; title of a workflow: its name. May be "" */
  ho_str slug;         /* from a folder specs/N_SLUG of the path, which also gives the task where the text does not */
  ho_plan_step *items; /* in the document's order */
  size_t count;
  unsigned waves;
  uint32_t head_begin, head_end; /* the plan's own marker (**Status**: [...]); equal where there is none */
  uint64_t hash;                 /* of the text that the places belong to */
} ho_plan_steps;

/* Reads a plan or workflow, recognised by name and content. Slices are of `text` and of the arena, so both must outlive
 * the steps. HO_INVALID with rule, line and column where the steps cannot be put into an order, or there are none;
 * HO_SYNTAX where the text cannot be read. */
ho_code ho_plan_steps_read(ho_arena *arena, ho_str path, ho_str text, ho_plan_steps *out, ho_error *err) HO_NODISCARD;

const ho_plan_step *ho_plan_steps_find(const ho_plan_steps *steps, ho_str id); /* NULL if there is none */

/* The plan `now` with the marker of one step changed, or set where it has none; every other byte stays. id "" is the
 * plan's own status, which is left alone where it has no marker. marker: without brackets. `now` is what the file holds
 * at the moment: where people or agents have changed it since, it is read again to find the place (HO_NOT_FOUND where the
 * phase is gone, HO_SYNTAX where it cannot be read any more), else that costs a hash and a copy. The places in *steps
 * are brought up to date for *out, which has to become the file's content; *out lives in `arena`. A workflow has no
 * markers: *out is `now`. */
ho_code ho_plan_steps_mark(ho_plan_steps *steps, ho_arena *arena, ho_str now, ho_str id, const char *marker,
                           ho_str *out, ho_error *err) HO_NODISCARD;
#endif
