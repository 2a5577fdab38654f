/* The rules of a phase handoff. */
#include "model/convert/convert.h"
#include "model/formats/artifact.h"
#include "model/formats/place.h"
#include "model/markdown/markdown_read.h"
#include "model/wording.h"

static bool is_recovery(const ho_check *check)
{
  return !ho_str_is(ho_node_str(ho_check_get(check, "genre")), "checkpoint");
}

/* An error in a handoff that a successor continues from; a warning elsewhere. */
static ho_severity by_genre(const ho_check *check)
{
  return is_recovery(check) ? HO_ERROR : HO_WARNING;
}

/* Found while reading, because the tree no longer shows it. */
static void found_while_reading(ho_check *check, const ho_rule *rule)
{
  (void)check;
  (void)rule;
}

static bool has_section(const ho_node *root, const ho_field *field)
{
  char key[64];
  snprintf(key, sizeof key, "x_%s_more", field->name);
  return !ho_node_empty(ho_map_getz(root, field->name)) || !ho_node_empty(ho_map_getz(root, key));
}

/* One finding per section in a handoff that a successor continues from; elsewhere one finding for all of them. */
static void check_sections(ho_check *check, const ho_rule *rule)
{
  ho_str all = HO_EMPTY;
  for (const ho_field *field = check->format->root->fields; field->name; field++) {
    if (field->shape == HO_SHAPE_LABEL || has_section(check->root, field))
      continue;
    if (is_recovery(check))
      ho_check_lacks(check, rule, field->name, "the section '%s' is missing", field->label);
    else
      all = ho_arena_printf(check->report->arena, "%.*s%s'%s'", HO_ARG(all), all.n ? ", " : "", field->label);
  }
  if (all.n)
    ho_check_fail_as(check, rule, HO_WARNING, NULL, "a successor cannot continue from here; missing: %.*s",
                     HO_ARG(all));
}

static void check_order(ho_check *check, const ho_rule *rule)
{
  const ho_node *before = NULL;
  if (check->encoding != HO_MARKDOWN || !is_recovery(check))
    return;
  for (const ho_field *field = check->format->root->fields; field->name; field++) {
    const ho_node *node = field->shape == HO_SHAPE_LABEL ? NULL : ho_map_getz(check->root, field->name);
    if (!node || node->begin == HO_NOWHERE)
      continue;
    if (before && node->begin < before->begin)
      ho_check_fail(check, rule, node, "'%s' comes too early; move it down", field->label);
    else
      before = node;
  }
}

static size_t count_lines(ho_str text)
{
  size_t lines = 0;
  ho_str line;
  while (ho_markdown_next_line(&text, &line))
    lines++;
  return lines;
}

/* For YAML and JSON, the Markdown form is measured; x_kept would be in another file then. */
static void write_page(const ho_check *check, ho_buf *out)
{
  ho_node *page = ho_node_copy(check->report->arena, check->root), *kept = ho_map_getz(page, HO_KEPT);
  if (kept)
    ho_node_remove(page, kept);
  if (page)
    ho_artifact_write(check->format, page, out);
}

static void check_screen(ho_check *check, const ho_rule *rule)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  if (check->encoding != HO_MARKDOWN || !check->source)
    write_page(check, &out);
  size_t lines = count_lines(out.n ? ho_buf_str(&out) : check->source ? check->source->text : HO_EMPTY);
  if (out.failed && !check->report->arena->failed)
    check->report->arena->failed = out.failed;
  ho_buf_free(&out);
  if (lines > HO_ARTIFACT_LINES)
    ho_check_fail_as(check, rule, by_genre(check), NULL, "has %zu lines; the maximum is %d", lines, HO_ARTIFACT_LINES);
}

static void check_next_is_one(ho_check *check, const ho_rule *rule)
{
  const ho_node *next = ho_check_get(check, "immediate_next_action");
  ho_str rest = ho_node_str(next), line;
  bool fenced = false;
  while (ho_markdown_next_line(&rest, &line)) {
    if (ho_str_starts(ho_str_trim(line), "```") || ho_str_starts(ho_str_trim(line), "~~~"))
      fenced = !fenced;
    else if (!fenced && ho_markdown_is_item(line)) {
      ho_check_fail_as(check, rule, by_genre(check), next,
                       "the next action is a list; name the one step to take first");
      return;
    }
  }
}

static void check_next_is_concrete(ho_check *check, const ho_rule *rule)
{
  const ho_node *next = ho_check_get(check, "immediate_next_action");
  ho_str found;
  if (ho_wording_vague(ho_node_str(next), &found))
    ho_check_fail_as(check, rule, by_genre(check), next, "'%.*s' does not say what to do", HO_ARG(found));
}

/* Splits phase-{P}-handoff-{TIMESTAMP}.md. */
static bool split_name(ho_str path, ho_str *phase, ho_str *stamp)
{
  ho_str middle;
  if (!ho_place_between(ho_place_name(path), "phase-", ".md", &middle))
    return false;
  size_t at = ho_str_find(middle, "-handoff-");
  if (at == HO_NONE)
    return false;
  *phase = ho_str_sub(middle, 0, at);
  *stamp = ho_str_sub(middle, at + 9, middle.n);
  return ho_artifact_phase(*phase) == phase->n && phase->n;
}

static void check_name(ho_check *check, const ho_rule *rule)
{
  ho_str phase, stamp, path = check->env->path;
  if (!ho_place_known(path))
    return;
  if (!split_name(path, &phase, &stamp) || !ho_syntax_STAMP.matches(stamp))
    ho_check_fail(check, rule, NULL, "expected a file name 'phase-{P}-handoff-{YYYYMMDDTHHMMSSZ}.md', found '%.*s'",
                  HO_ARG(ho_place_name(path)));
  else if (phase.n > 1 && phase.p[0] == '0')
    ho_check_fail(check, rule, NULL, "the phase in the file name is padded: '%.*s'", HO_ARG(phase));
}

static void check_folder(ho_check *check, const ho_rule *rule)
{
  const char *problem = ho_place_known(check->env->path) ? ho_place_problem(check->env->path, "handoffs") : NULL;
  if (problem)
    ho_check_fail(check, rule, NULL, "%s", problem);
}

static bool same_time(ho_str a, ho_str b)
{
  char one[17], two[17];
  return ho_stamp_read(a, one, NULL) && ho_stamp_read(b, two, NULL) ? strcmp(one, two) == 0 : ho_str_eq(a, b);
}

static void check_agreement(ho_check *check, const ho_rule *rule)
{
  const ho_node *phase = ho_check_get(check, "phase"), *stamp = ho_check_get(check, "timestamp");
  ho_str name_phase, name_stamp;
  if (!ho_place_known(check->env->path) || !split_name(check->env->path, &name_phase, &name_stamp))
    return;
  if (phase && !ho_str_eq(ho_node_str(phase), name_phase))
    ho_check_fail(check, rule, phase, "phase %.*s, but the file name says %.*s", HO_ARG(ho_node_str(phase)),
                  HO_ARG(name_phase));
  if (stamp && !same_time(ho_node_str(stamp), name_stamp))
    ho_check_fail(check, rule, stamp, "%.*s, but the file name says %.*s", HO_ARG(ho_node_str(stamp)),
                  HO_ARG(name_stamp));
}

const ho_rule ho_artifact_rules[] = {
    {.info = {"artifact-title", HO_WARNING, "The title must be '# Phase {P} Handoff - {TIMESTAMP}'.",
              "Use that title, and move anything else it says into the text."},
     .check = found_while_reading},
    {.info = {"artifact-file-name", HO_WARNING, "The file must be named phase-{P}-handoff-{YYYYMMDDTHHMMSSZ}.md.",
              "Rename the file; 'handoff fix --rename' also updates what points to it."},
     .check = check_name},
    {.info = {"artifact-folder", HO_WARNING, "The file must be in specs/{N}_{SLUG}/handoffs.",
              "Move it to its task's handoffs folder."},
     .check = check_folder},
    {.info = {"artifact-agree", HO_WARNING, "Phase and time in the title must match the file name.",
              "Correct the one that is wrong."},
     .check = check_agreement},
    {.info = {"section-missing", HO_ERROR, "All six sections of a handoff must be present.", "Add the section."},
     .check = check_sections,
     .fact = true},
    {.info = {"section-order", HO_WARNING, "Sections must be in reading order.", "Move the section."},
     .check = check_order},
    {.info = {"one-screen", HO_ERROR, "A handoff must fit on one screen of 40 lines.",
              "Keep what the successor needs first and move the rest to a details file."},
     .check = check_screen},
    {.info = {"next-action-list", HO_ERROR, "The next action must be one step, not a list.",
              "Keep the first step; the others belong in the plan."},
     .check = check_next_is_one},
    {.info = {"next-action-vague", HO_ERROR, "The next action must say what to do.",
              "Name the file, function or command that comes next."},
     .check = check_next_is_concrete,
     .fact = true},
    {.info = {"list-numbered", HO_WARNING, "Decisions and dead ends must be numbered.", "Use 1., 2., 3."},
     .check = found_while_reading},
    {.info = {"list-form", HO_WARNING, "Decisions, dead ends, facts and references must be lists.",
              "Write each one as its own item."},
     .check = found_while_reading},
    HO_RULES_END};
