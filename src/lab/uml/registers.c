/*
 * Lets User-Mode Linux 6.1 run on processors whose registers need more room than it keeps.
 *
 * It saves the registers of AVX and its kin in 2,696 bytes a process. Processors with tile registers (AMX) have 11,008,
 * and ptrace sets all of them or none: PTRACE_SETREGSET fails, and with it the first process of the guest. Loaded before
 * the C library (LD_PRELOAD), this ptrace hands out the first part as before, and puts it back in front of the rest,
 * which guests do not use.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

static char whole[1 << 16];

static long next(int request, pid_t pid, void *address, void *data) {
  static long (*real)(int, pid_t, void *, void *);
  if (!real) real = (long (*)(int, pid_t, void *, void *))dlsym(RTLD_NEXT, "ptrace");
  return real(request, pid, address, data);
}

long ptrace(enum __ptrace_request request, ...) {
  va_list rest;
  va_start(rest, request);
  pid_t pid = va_arg(rest, pid_t);
  void *address = va_arg(rest, void *);
  void *data = va_arg(rest, void *);
  va_end(rest);
  if (request != PTRACE_SETREGSET || (long)address != NT_X86_XSTATE) return next(request, pid, address, data);

  struct iovec part = *(struct iovec *)data;
  struct iovec all = {whole, sizeof whole};
  if (next(PTRACE_GETREGSET, pid, address, &all) < 0) return -1;
  memcpy(whole, part.iov_base, part.iov_len < all.iov_len ? part.iov_len : all.iov_len);
  return next(PTRACE_SETREGSET, pid, address, &all);
}
