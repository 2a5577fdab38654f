/* The first instructions of the statically linked program (x86-64): its tables are given their memory in one go.
 *
 * A position-independent program writes the address that it was loaded at into every pointer of its constant tables before
 * main begins. Each page of them is then a fault of its own, some hundred of them, which is more than all other faults of a
 * start. Asked for beforehand by one call, the same pages cost less: a start takes about 1.22 times as long as that of a
 * program that does nothing, not 1.29. Nothing depends on it: an older kernel refuses the call, and the pages come one by one.
 *
 * This runs before the program is relocated, so it uses nothing whose address would have to be known: no library, no
 * table, no stack protector (cmake/program.cmake). */
#include <elf.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

void ho_entry_populate(const Elf64_Ehdr *program) __attribute__((visibility("hidden")));

__asm__(".text\n"
        ".globl ho_entry\n"
        ".type ho_entry, @function\n"
        "ho_entry:\n"
        "  endbr64\n"
        "  push %rdx\n"    /* the kernel's, for _start */
        "  sub $8, %rsp\n" /* a call wants a stack aligned to 16 */
        "  lea __ehdr_start(%rip), %rdi\n"
        "  call ho_entry_populate\n"
        "  add $8, %rsp\n"
        "  pop %rdx\n"
        "  jmp _start\n");

void ho_entry_populate(const Elf64_Ehdr *program)
{
  enum { PAGE = 4096 };
  uintptr_t base = (uintptr_t)program;
  const Elf64_Phdr *segments = (const Elf64_Phdr *)(base + program->e_phoff);
  for (unsigned i = 0; i < program->e_phnum; i++)
    if (segments[i].p_type == PT_GNU_RELRO) {
      uintptr_t begin = (base + segments[i].p_vaddr) / PAGE * PAGE,
                end = base + segments[i].p_vaddr + segments[i].p_memsz;
      long result;
      __asm__ volatile("syscall"
                       : "=a"(result)
                       : "a"((long)SYS_madvise), "D"(begin), "S"((end - begin + PAGE - 1) / PAGE * PAGE),
                         "d"((long)MADV_POPULATE_WRITE)
                       : "rcx", "r11", "memory");
    }
}
