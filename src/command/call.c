#include "command/call.h"

#include "base/fs.h"
#include "base/suggest.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "model/document/recognise.h"

const ho_node *ho_arg(const ho_call *call, const char *name)
{
  return ho_map_getz(call->args, name);
}

ho_str ho_arg_str(const ho_call *call, const char *name)
{
  return ho_node_str(ho_arg(call, name));
}

ho_str ho_arg_words(const ho_call *call, const char *name)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  HO_EACH_CONST (word, ho_arg(call, name))
    ho_buf_printf(&out, "%s%.*s", out.n ? " " : "", HO_ARG(word->text));
  return ho_buf_move(&out, call->arena);
}

bool ho_arg_true(const ho_call *call, const char *name)
{
  return ho_node_true(ho_arg(call, name));
}

static const char *format_name(size_t index)
{
  return ho_formats[index] ? ho_formats[index]->name : NULL;
}

ho_code ho_arg_format(const ho_call *call, const char *name, const ho_format **out, ho_error *err)
{
  ho_str wanted = ho_arg_str(call, name);
  *out = NULL;
  if (!ho_arg(call, name))
    return HO_OK;
  *out = ho_format_named(wanted);
  if (*out)
    return HO_OK;
  const char *near = ho_suggest(wanted, format_name);
  return near ? ho_fail(err, HO_USAGE, "unknown format '%.*s'; did you mean '%s'?", HO_ARG(wanted), near)
              : ho_fail(err, HO_USAGE, "unknown format '%.*s'; run: handoff formats", HO_ARG(wanted));
}

void ho_call_note(ho_call *call, const char *format, ...)
{
  ho_node *notes = ho_map_getz(call->result, "notes");
  if (!notes)
    notes = ho_map_addz(call->result, "notes", ho_node_new(call->arena, HO_KIND_LIST));
  va_list args;
  va_start(args, format);
  ho_list_add(notes, ho_node_text(call->arena, ho_arena_vprintf(call->arena, format, args)));
  va_end(args);
}

const char *ho_full_path(const ho_call *call, ho_str path)
{
  return ho_fs_join(call->arena, call->host->folder, path).p;
}

ho_str ho_shown_path(const ho_call *call, ho_str full)
{
  return ho_fs_relative(call->host->folder, full);
}

ho_code ho_read_text(ho_call *call, ho_str path, ho_str *out, ho_error *err)
{
  if (ho_str_is(path, "-"))
    return call->host->read_input(call->host->world, call->arena, out, err);
  ho_str full = ho_paths_now(call->arena, HO_EMPTY, ho_str_of(ho_full_path(call, path)));
  ho_code code = ho_fs_read(call->arena, full.p, 0, out, err);
  if (code)
    ho_error_copy(err->file, sizeof err->file, path);
  return code;
}

ho_code ho_read_document(ho_call *call, ho_str path, const ho_format *format, ho_doc *doc, ho_error *err)
{
  ho_str text;
  ho_code code = ho_read_text(call, path, &text, err);
  if (code)
    return code;
  if (!format && !ho_str_is(path, "-"))
    format = ho_recognise_path_only(ho_str_of(ho_full_path(call, path)));
  code = ho_doc_read(doc, call->arena, path, text, format, err);
  if (!code && !doc->format)
    code = ho_fail_file(err, HO_INVALID, path, "%.*s", HO_ARG(ho_quote_unknown(call->arena, path, ho_str_blank(text))));
  return code;
}

ho_code ho_rewrite(const ho_call *call, const char *full, ho_str shown, ho_str text, ho_error *err)
{
  if (ho_fs_is_protected(full))
    return ho_fail_file(err, HO_IO, shown, "is read-only and was left unchanged; run: chmod u+w, then try again");
  ho_code code = ho_fs_write_in(call->host->root.p, full, text, HO_FS_REPLACE, err);
  if (code)
    ho_error_copy(err->file, sizeof err->file, shown);
  return code;
}

ho_str ho_call_below_root(const ho_host *host)
{
  bool below = ho_fs_below(host->root, host->folder) && !ho_str_eq(host->root, host->folder);
  return below ? ho_fs_relative(host->root, host->folder) : HO_EMPTY;
}

ho_check_env ho_call_check_env(const ho_call *call, ho_str full)
{
  ho_host *host = call->host;
  return (ho_check_env){.path = full.n ? ho_fs_relative(host->root, full) : HO_EMPTY,
                        .tokens = ho_host_tokens(host),
                        .exists = ho_paths_exists,
                        .world = &host->root,
                        .looked_in = host->above,
                        .below = ho_call_below_root(host)};
}

ho_node *ho_fallback_node(ho_arena *arena, const ho_field *field)
{
  ho_node *node = ho_node_textz(arena, field->fallback);
  if (node && (field->type == HO_T_INT || field->type == HO_T_NUMBER))
    node->kind = HO_KIND_NUMBER;
  else if (node && field->type == HO_T_BOOL)
    node->kind = HO_KIND_BOOL;
  return node;
}

void ho_render_text(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_buf_put(out, ho_map_str(call->result, "text"));
}
