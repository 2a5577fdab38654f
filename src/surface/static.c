/* What only the statically linked programs have.
 *
 * SQLite's archive refers to the loader of shared libraries, for extensions that SQL might ask for. Nothing here ever
 * allows that (it is off until sqlite3_enable_load_extension turns it on), and a static program should have no loader.
 * The linker (--wrap) puts these in its place: they always fail.
 *
 * libevent's archive refers to the resolver, for the names of hosts and services. The server listens on numeric addresses
 * and connects to nobody, so nothing here ever asks; the C library would load other libraries for the answer. */
#include <netdb.h>
#include <stddef.h>

void *__wrap_dlopen(const char *file, int mode);
void *__wrap_dlsym(void *handle, const char *name);
int __wrap_dlclose(void *handle);
char *__wrap_dlerror(void);
int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **out);
void __wrap_freeaddrinfo(struct addrinfo *list);
struct servent *__wrap_getservbyname(const char *name, const char *protocol);
struct protoent *__wrap_getprotobynumber(int number);

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

int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
  (void)host, (void)service, (void)hints, (void)out;
  return EAI_FAIL;
}

void __wrap_freeaddrinfo(struct addrinfo *list)
{
  (void)list;
}

struct servent *__wrap_getservbyname(const char *name, const char *protocol)
{
  (void)name, (void)protocol;
  return NULL;
}

struct protoent *__wrap_getprotobynumber(int number)
{
  (void)number;
  return NULL;
}
