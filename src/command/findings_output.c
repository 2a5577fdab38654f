/* Findings for other tools: SARIF 2.1.0 for code scanning, and the annotations of GitHub's runners. */
#include "base/escape.h"
#include "base/term.h"
#include "command/findings.h"
#include "doc/json/json.h"

static ho_node *message(ho_arena *arena, const char *text)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, "text", ho_node_textz(arena, text));
  return map;
}

static ho_node *put_map(ho_arena *arena, ho_node *parent, const char *key)
{
  return ho_map_addz(parent, key, ho_node_new(arena, HO_KIND_MAP));
}

static ho_node *put_list(ho_arena *arena, ho_node *parent, const char *key)
{
  return ho_map_addz(parent, key, ho_node_new(arena, HO_KIND_LIST));
}

static void put_rule(ho_arena *arena, ho_node *rules, ho_str id)
{
  const ho_rule_info *info = ho_finding_rule(id);
  ho_node *rule = ho_list_add(rules, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(rule, "id", ho_node_text(arena, id));
  if (!info)
    return;
  ho_map_addz(rule, "shortDescription", message(arena, info->doc));
  if (info->fix)
    ho_map_addz(rule, "help", message(arena, info->fix));
  ho_node *configuration = put_map(arena, rule, "defaultConfiguration");
  ho_map_addz(configuration, "level", ho_node_textz(arena, ho_severity_name(info->severity)));
}

/* The index of the rule among those written so far; a new rule is added. */
static long long rule_index(ho_arena *arena, ho_node *rules, ho_str id)
{
  long long index = 0;
  HO_EACH_CONST (rule, rules) {
    if (ho_str_eq(ho_map_str(rule, "id"), id))
      return index;
    index++;
  }
  put_rule(arena, rules, id);
  return index;
}

/* A path as a URI reference: bytes that have a meaning there are escaped. */
static ho_node *uri(ho_arena *arena, ho_str path)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  for (size_t i = 0; i < path.n; i++) {
    unsigned char c = (unsigned char)path.p[i];
    if (isalnum(c) || strchr("/._-~", c))
      ho_buf_putc(&out, (char)c);
    else
      ho_buf_printf(&out, "%%%02X", c);
  }
  return ho_node_text(arena, ho_buf_move(&out, arena));
}

static void put_result(ho_arena *arena, ho_node *results, ho_node *rules, ho_str path, const ho_node *finding)
{
  ho_str id = ho_map_str(finding, "rule");
  ho_str pointer = ho_map_str(finding, "pointer");
  ho_node *result = ho_list_add(results, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(result, "ruleId", ho_node_text(arena, id));
  ho_map_addz(result, "ruleIndex", ho_node_number(arena, rule_index(arena, rules, id)));
  ho_map_addz(result, "level", ho_node_copy(arena, ho_map_getz(finding, "severity")));
  ho_node *text = put_map(arena, result, "message");
  ho_map_addz(text, "text", ho_node_copy(arena, ho_map_getz(finding, "message")));
  ho_node *location = ho_list_add(put_list(arena, result, "locations"), ho_node_new(arena, HO_KIND_MAP));
  ho_node *physical = put_map(arena, location, "physicalLocation");
  ho_map_addz(put_map(arena, physical, "artifactLocation"), "uri", uri(arena, path));
  ho_node *region = put_map(arena, physical, "region");
  ho_map_addz(region, "startLine", ho_node_copy(arena, ho_map_getz(finding, "line")));
  ho_map_addz(region, "startColumn", ho_node_copy(arena, ho_map_getz(finding, "column")));
  if (pointer.n) {
    ho_node *logical = ho_list_add(put_list(arena, location, "logicalLocations"), ho_node_new(arena, HO_KIND_MAP));
    ho_map_addz(logical, "fullyQualifiedName", ho_node_text(arena, pointer));
  }
}

void ho_findings_sarif(ho_buf *out, const ho_node *result, ho_arena *arena)
{
  ho_node *log = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(log, "$schema", ho_node_textz(arena, "https://json.schemastore.org/sarif-2.1.0.json"));
  ho_map_addz(log, "version", ho_node_textz(arena, "2.1.0"));
  ho_node *run = ho_list_add(put_list(arena, log, "runs"), ho_node_new(arena, HO_KIND_MAP));
  ho_node *driver = put_map(arena, put_map(arena, run, "tool"), "driver");
  ho_map_addz(driver, "name", ho_node_textz(arena, "handoff"));
  ho_map_addz(driver, "version", ho_node_textz(arena, HO_VERSION));
  ho_node *rules = put_list(arena, driver, "rules");
  ho_map_addz(run, "columnKind", ho_node_textz(arena, "unicodeCodePoints"));
  ho_node *results = put_list(arena, run, "results");
  HO_EACH_CONST (file, ho_map_getz(result, "files"))
    HO_EACH_CONST (finding, ho_map_getz(file, "findings"))
      put_result(arena, results, rules, ho_map_str(file, "path"), finding);
  ho_json_write(out, log, 2);
  ho_buf_putc(out, '\n');
  if (arena->failed)
    out->failed = arena->failed;
}

/* What GitHub's runner would take as its own syntax is escaped; a property has two characters more than a message. */
static void put_escaped(ho_buf *out, ho_str text, bool property)
{
  ho_buf safe;
  ho_buf_init(&safe, 0);
  ho_term_put(&safe, text, HO_TERM_LINE);
  ho_escape_percent(out, ho_buf_str(&safe), property ? "%:," : "%");
  ho_buf_free_into(&safe, out);
}

static void put_annotation(ho_buf *out, ho_str path, const ho_node *finding)
{
  ho_str severity = ho_map_str(finding, "severity");
  ho_str pointer = ho_map_str(finding, "pointer");
  ho_buf_printf(out, "::%.*s file=", HO_ARG(ho_str_is(severity, "note") ? HO_STR("notice") : severity));
  put_escaped(out, path, true);
  ho_buf_printf(out, ",line=%.*s,col=%.*s,title=", HO_ARG(ho_map_str(finding, "line")),
                HO_ARG(ho_map_str(finding, "column")));
  put_escaped(out, ho_map_str(finding, "rule"), true);
  ho_buf_puts(out, "::");
  put_escaped(out, pointer, false);
  ho_buf_puts(out, pointer.n ? ": " : "");
  put_escaped(out, ho_map_str(finding, "message"), false);
  ho_buf_putc(out, '\n');
}

void ho_findings_github(ho_buf *out, const ho_node *result)
{
  HO_EACH_CONST (file, ho_map_getz(result, "files"))
    HO_EACH_CONST (finding, ho_map_getz(file, "findings"))
      put_annotation(out, ho_map_str(file, "path"), finding);
}
