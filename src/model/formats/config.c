/* The project's settings, .handoff/config.yaml. */
#include <ctype.h>

#include "base/limits.h"
#include "base/suggest.h"
#include "model/check.h"
#include "model/formats/formats.h"
#include "model/formats/names.h"
#include "model/harness/harness.h"

enum { LONGEST_FOLDER = 200 };

static const ho_choice secret_choices[] = {
    {"redact", "Credentials are replaced before anything is stored.", "hide|mask"},
    {"refuse", "A document with a credential is refused.", "reject|deny"},
    {"allow", "Credentials are stored unchanged. Used only after 'handoff trust'.", "keep|ignore"},
    {0},
};

static const ho_choice without_handoff_choices[] = {
    {"ask", "It is told, once per usage level, and may stop.", "tell|warn"},
    {"block", "It may not stop, and is told what is missing; never twice in a row.", "require|refuse"},
    {0},
};

static const ho_field window_fields[] = {
    {.name = "model",
     .doc = "The model's name, as its harness reports it.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .example = "claude-opus-4"},
    {.name = "tokens",
     .doc = "Size of its context window in tokens.",
     .type = HO_T_INT,
     .flags = HO_REQUIRED,
     .aliases = "window|size",
     .min = 1000,
     .max = 100000000,
     .example = "200000"},
    HO_FIELDS_END,
};

static const ho_record window = {.name = "window", .fields = window_fields, .scalar = "tokens", .map_key = "model"};

static const ho_field agent_fields[] = {
    {.name = "name",
     .doc = "Its name in plans, workflows and handoffs.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "id|agent",
     .syntax = &ho_syntax_NAME,
     .example = "writer"},
    {.name = "command",
     .doc = "The program and its arguments; not passed through a shell.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "cmd|run",
     .example = "claude"},
    {.name = "harness",
     .doc = "What kind of program it is.",
     .type = HO_T_TEXT,
     .choices = ho_harness_agent_choices,
     .fallback = "other",
     .example = "claude"},
    {.name = "model", .doc = "The model it uses.", .type = HO_T_TEXT, .example = "claude-opus-4"},
    {.name = "capabilities",
     .doc = "What it can do; compared with a handoff's constraints.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .syntax = &ho_syntax_TAG,
     .example = "security-review"},
    HO_FIELDS_END,
};

static const ho_record agent = {.name = "agent", .fields = agent_fields, .scalar = "command", .map_key = "name"};

/* One field per document limit. A project may lower a limit, never raise it. */
static const ho_field limit_fields[] = {
#define X(constant, text, value, unit, what)                                                                           \
  {.name = text, .doc = "Maximum " what ", in " unit ".", .type = HO_T_INT, .min = 1, .max = (value), .example = "60"},
    HO_DOCUMENT_LIMITS(X)
#undef X
        HO_FIELDS_END,
};

static const ho_record limits = {.name = "limits", .fields = limit_fields};

static const ho_field fields[] = {
    {.name = "secrets",
     .doc = "What to do with credentials found in a document.",
     .type = HO_T_TEXT,
     .choices = secret_choices,
     .fallback = "redact",
     .example = "redact"},
    {.name = "notify",
     .doc = "The program and its arguments that notify a person of a gate; not passed through a shell. Used only "
            "after 'handoff trust', because settings may come with a clone.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .example = "notify-send"},
    {.name = "threshold",
     .doc = "Context usage, in percent, at which the agent is asked for a handoff.",
     .type = HO_T_INT,
     .min = 1,
     .max = 100,
     .fallback = "80",
     .example = "80"},
    {.name = "without_handoff",
     .doc = "What happens to an agent that stops without a handoff, although its context is above the threshold or "
            "objectives of its phase are open.",
     .type = HO_T_TEXT,
     .choices = without_handoff_choices,
     .fallback = "ask",
     .example = "ask"},
    {.name = "windows",
     .doc = "Context windows of models that handoff does not know, or gets wrong.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &window},
    {.name = "lease",
     .doc = "How long, in seconds, a claim lasts unless it is renewed.",
     .type = HO_T_INT,
     .min = 1,
     .max = 604800,
     .fallback = "900",
     .example = "900"},
    {.name = "max_successors",
     .doc = "How many successors a phase may have before a person must decide.",
     .type = HO_T_INT,
     .min = 1,
     .max = 1000,
     .fallback = "3",
     .example = "3"},
    {.name = "agents",
     .doc = "The agents that 'handoff run' can start. Used only after 'handoff trust'.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &agent},
    {.name = "state_folder",
     .doc = "The folder in which the state file, current.json, is written, in the main worktree.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_RELATIVE,
     .fallback = "state",
     .example = "docs/handoff"},
    {.name = "archive_folder",
     .doc = "The folder in which readable copies of handoffs are kept, in the main worktree.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_RELATIVE,
     .fallback = ".project/07-audit",
     .example = "docs/handoff"},
    {.name = "limits",
     .doc = "Document limits that this project lowers; see 'handoff limits'.",
     .type = HO_T_RECORD,
     .record = &limits},
    HO_FIELDS_END,
};

static const ho_record root = {.name = "config", .fields = fields};

static void check_agents(ho_check *check, const ho_rule *rule)
{
  ho_names names = ho_names_of(check->report->arena, ho_check_get(check, "agents"), "name");
  ho_names_check_unique(check, rule, &names, "agent");
}

static void check_human(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (item, ho_check_get(check, "agents")) {
    const ho_node *name = ho_map_getz(item, "name");
    if (ho_str_is_nocase(ho_node_str(name), "human")) {
      ho_check_fail(check, rule, name, "'human' is reserved for people");
    }
  }
}

static void check_windows(ho_check *check, const ho_rule *rule)
{
  ho_names names = ho_names_of(check->report->arena, ho_check_get(check, "windows"), "model");
  ho_names_check_unique(check, rule, &names, "window");
}

/* The field that a misspelled key probably means, or NULL. */
static const char *meant(const ho_record *record, ho_str key)
{
  const char *best = NULL;
  unsigned nearest = ho_distance_far(key);
  for (const ho_field *field = record->fields; field->name; field++) {
    unsigned distance = ho_distance(key, ho_str_of(field->name));
    if (distance < nearest) {
      nearest = distance;
      best = field->name;
    }
  }
  return best;
}

static void check_keys_of(ho_check *check, const ho_rule *rule, const ho_record *record, const ho_node *map)
{
  bool alias;
  HO_EACH_CONST (child, map) {
    const ho_field *field = ho_record_field(record, child->key, &alias);
    const char *near = field || ho_key_is_extra(child->key) ? NULL : meant(record, child->key);
    if (near)
      ho_check_fail(check, rule, child, "'%.*s' is not a setting; did you mean '%s'?", HO_ARG(child->key), near);
    if (!field || !field->record)
      continue;
    if (child->kind == HO_KIND_MAP)
      check_keys_of(check, rule, field->record, child);
    else if (child->kind == HO_KIND_LIST)
      HO_EACH_CONST (item, child)
        check_keys_of(check, rule, field->record, item);
  }
}

/* An unknown key may be another program's, but a misspelled one is a setting that silently does not count. */
static void check_keys(ho_check *check, const ho_rule *rule)
{
  check_keys_of(check, rule, check->format->root, check->root);
}

/* Below which names a folder may be, although their first part is hidden: that of the default. */
#define HIDDEN ".project"
#define OURS "specs" /* tasks are looked for there */

static bool is_plain(ho_str name)
{
  for (size_t i = 0; i < name.n; i++)
    if (!isalnum((unsigned char)name.p[i]) && (name.p[i] == '\0' || !strchr("._-", name.p[i])))
      return false;
  return name.n > 0;
}

/* Settings come with a clone, and these say where files are written. So a name is no pattern of git, no option and no
 * hidden folder, since those of a name that some program knows configure it. */
static bool is_folder(ho_str path)
{
  ho_str name, rest = path;
  bool first = true;
  for (; ho_str_next(&rest, '/', &name); first = false)
    if (!is_plain(name) || name.p[0] == '-' || (name.p[0] == '.' && !(first && ho_str_is(name, HIDDEN))) ||
        (first && ho_str_is(name, OURS)))
      return false;
  return path.n > 0 && path.n <= LONGEST_FOLDER && path.p[path.n - 1] != '/';
}

static void check_folders(ho_check *check, const ho_rule *rule)
{
  static const char *const names[] = {"state_folder", "archive_folder"};
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    const ho_node *folder = ho_check_get(check, names[i]);
    if (ho_node_is(folder, HO_KIND_TEXT) && !is_folder(folder->text))
      ho_check_fail(check, rule, folder, "'%.*s' is not a folder that handoff writes into", HO_ARG(folder->text));
  }
}

static const ho_rule rules[] = {
    {.info = {"config-key", HO_ERROR, "The name of a setting must be spelled correctly.",
              "Correct the name; to see all settings, run: handoff config"},
     .check = check_keys,
     .fact = true},
    {.info = {"config-agent-unique", HO_ERROR, "Agent names must be unique.", "Rename one of the two."},
     .check = check_agents,
     .fact = true},
    {.info = {"config-agent-human", HO_ERROR, "An agent must not be named human.", "Rename the agent."},
     .check = check_human,
     .fact = true},
    {.info = {"config-model-unique", HO_ERROR, "Each model must have only one window.", "Remove one of the two."},
     .check = check_windows,
     .fact = true},
    {.info =
         {"config-folder", HO_ERROR,
          "A folder that handoff writes into must be in the project, outside " OURS ", and not hidden.",
          "Use letters, digits and . _ - in each part, and begin none with '.' or '-', like docs/handoff; only '" HIDDEN
          "' may be the first."},
     .check = check_folders,
     .fact = true},
    HO_RULES_END,
};

const ho_format ho_format_config = {
    .name = "config",
    .title = "Settings",
    .doc = "The settings of a project. Every key is optional.",
    .encoding = HO_YAML,
    .root = &root,
    .rules = rules,
    .file_names = ".handoff/config.yaml|.handoff/config.yml",
    .place = ".handoff/config.yaml",
    .example = "secrets: redact\n"
               "notify:\n"
               "  - notify-send\n"
               "  - A handoff needs you\n"
               "threshold: 80\n"
               "without_handoff: ask\n"
               "windows:\n"
               "  - model: house-model-1\n"
               "    tokens: 128000\n"
               "lease: 900\n"
               "max_successors: 3\n"
               "agents:\n"
               "  - name: writer\n"
               "    command:\n"
               "      - claude\n"
               "      - --print\n"
               "    harness: claude\n"
               "    capabilities:\n"
               "      - security-review\n"
               "state_folder: docs/handoff\n"
               "archive_folder: docs/handoff\n"
               "limits:\n"
               "  findings: 200\n",
};
