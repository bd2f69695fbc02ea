# Runs a program that may only make the system calls in a file; others fail as with systemd's
# SystemCallErrorNumber=EPERM. Like a service, it runs without the right to gain privileges.
import ctypes
import errno
import os
import sys

names, program = sys.argv[1], sys.argv[2:]
seccomp = ctypes.CDLL('libseccomp.so.2', use_errno=True)
seccomp.seccomp_init.restype = ctypes.c_void_p
context = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(0x00050000 | errno.EPERM)))
ALLOW = ctypes.c_uint32(0x7FFF0000)
for name in open(names).read().split():
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    if number >= 0:
        seccomp.seccomp_rule_add(context, ALLOW, ctypes.c_int(number), ctypes.c_uint(0))
if seccomp.seccomp_load(context) != 0:
    sys.exit('the filter could not be loaded')
os.execv(program[0], program)
