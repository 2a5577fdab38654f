/* What only the statically linked program has.
 *
 * SQLite's archive refers to the loader of shared libraries, for extensions that SQL might ask for. Nothing here ever
 * allows that (it is off until sqlite3_enable_load_extension turns it on), and a static program should have no loader.
 * The linker (--wrap) puts these in its place: they always fail. */
#include <stddef.h>

void *__wrap_dlopen(const char *file, int mode);
void *__wrap_dlsym(void *handle, const char *name);
int __wrap_dlclose(void *handle);
char *__wrap_dlerror(void);

void *__wrap_dlopen(const char *file, int mode)
{
  (void)file, (void)mode;
  return NULL;
}

void *__wrap_dlsym(void *handle, const char *name)
{
  (void)handle, (void)name;
  return NULL;
}

int __wrap_dlclose(void *handle)
{
  (void)handle;
  return -1;
}

char *__wrap_dlerror(void)
{
  static char why[] = "this program is linked statically and loads no libraries";
  return why;
}
