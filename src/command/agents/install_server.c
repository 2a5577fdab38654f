#include "command/agents/install_server.h"

#include "base/fs.h"

/* The list of servers; a variable may name another folder for the user's own files. */
static ho_str path_of(const ho_installer *in)
{
  const ho_harness *harness = in->harness;
  const char *own = harness->variable ? getenv(harness->variable) : NULL;
  ho_str home = ho_str_of(harness->servers_home), folder = ho_str_of(harness->folder);
  if (!in->global || !own || own[0] != '/')
    return ho_fs_join(in->arena, in->base, in->global ? home : ho_str_of(harness->servers));
  bool inside = folder.n && ho_str_starts(home, harness->folder) && home.n > folder.n && home.p[folder.n] == '/';
  return ho_fs_join(in->arena, ho_str_of(own), inside ? ho_str_sub(home, folder.n + 1, home.n) : home);
}

static ho_code put(const ho_installer *in, ho_str text, ho_str *out, ho_error *err)
{
  return ho_install_put_server(in->arena, in->harness, text, out, err);
}

static ho_code take(const ho_installer *in, ho_str text, ho_str *out, ho_error *err)
{
  return ho_install_remove_server(in->arena, in->harness, text, out, err);
}

static ho_code in_json(ho_installer *in, ho_str path, ho_str old, ho_error *err)
{
  static const ho_install_part server = {put, take};
  ho_str without;
  ho_error none = {0};
  bool there = !ho_install_remove_server(in->arena, in->harness, old, &without, &none) && !ho_str_eq(without, old);
  return in->uninstall && !there ? HO_OK : ho_install_files_json(in, path, &server, err);
}

static ho_code in_toml(ho_installer *in, ho_str path, ho_str old, ho_error *err)
{
  ho_str block = HO_EMPTY;
  bool there = ho_str_has(old, ho_install_server_hash.begin);
  if (in->uninstall && !there)
    return HO_OK;
  old = ho_install_marked(in->arena, old, true, HO_EMPTY, &ho_install_server_hash);
  ho_code code = in->uninstall ? HO_OK : ho_install_server_toml(in->arena, old, &block, err);
  if (code)
    return ho_error_copy(err->file, sizeof err->file, ho_shown_path(in->call, path)), code;
  if (!in->uninstall && !block.n)
    ho_call_note(in->call, "%.*s has a server called handoff already, which is left as it is",
                 HO_ARG(ho_shown_path(in->call, path)));
  return ho_install_files_mark(in, path.p, block, &ho_install_server_hash, err);
}

ho_code ho_install_server_change(ho_installer *in, ho_error *err)
{
  ho_str path, old;
  bool there;
  ho_code code = ho_install_files_real(in, ho_arena_z(in->arena, path_of(in)), &path, err);
  if (!code)
    code = ho_install_files_read(in, path.p, &old, &there, err);
  if (code)
    return code;
  return in->harness->servers_list ? in_json(in, path, old, err) : in_toml(in, path, old, err);
}
