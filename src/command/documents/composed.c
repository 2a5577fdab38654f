#include "command/documents/composed.h"

#include "command/documents/new.h"
#include "engine/project/identity.h"
#include "model/bind.h"
#include "model/document/write.h"

ho_composed ho_composed_begin(ho_call *call, const ho_format *format, ho_str to, ho_error *err)
{
  ho_composed c = {.call = call, .format = format, .root = ho_node_new(call->arena, HO_KIND_MAP)};
  c.code = ho_project_begin(&call->project, err);
  c.from = call->project.agent.n ? call->project.agent : ho_identity_harness();
  ho_composed_put(&c, "/from/agent", c.from.n ? c.from : HO_STR("human"), err);
  ho_composed_put(&c, "/to/agent", to, err);
  ho_composed_put(&c, "/context/summary", ho_str_trim(ho_arg_str(call, "summary")), err);
  return c;
}

void ho_composed_put(ho_composed *c, const char *pointer, ho_str value, ho_error *err)
{
  if (c->code || !value.n || !ho_node_absent(ho_node_at(c->root, ho_str_of(pointer))))
    return;
  ho_str assignment = ho_arena_printf(c->call->arena, "%s=%.*s", pointer, HO_ARG(value));
  c->code = ho_new_set(c->format, c->root, assignment, c->call->arena, err);
}

void ho_composed_put_all(ho_composed *c, const char *pointer, const ho_node *list, ho_error *err)
{
  HO_EACH_CONST (item, list)
    ho_composed_put(c, pointer, ho_node_str(item), err);
}

ho_code ho_composed_end(ho_composed *c, ho_send *in, ho_error *err)
{
  ho_buf text;
  ho_report report;
  ho_arena *arena = c->call->arena;
  if (c->code)
    return c->code;
  ho_report_init(&report, arena, NULL);
  ho_node *root = ho_bind(c->format, c->root, NULL, arena, &report);
  ho_code code = ho_arena_code(arena, err);
  if (code)
    return code;
  ho_buf_init(&text, 0);
  code = ho_doc_write(c->format, root, c->format->encoding, &text, err);
  in->text = ho_buf_move(&text, arena);
  in->format = c->format;
  return code ? code : ho_arena_code(arena, err);
}
