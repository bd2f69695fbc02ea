# Runs a program, and prints how many of its processes outlived their parents. Like the first process of a container, it
# becomes the parent of orphans.
import ctypes
import os
import signal
import subprocess
import sys

PR_SET_CHILD_SUBREAPER = 36
if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
    sys.exit('this system has no subreapers')
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
signal.signal(signal.SIGTERM, lambda *_: child.terminate())
orphans = 0
while True:
    try:
        orphans += os.wait()[0] != child.pid
    except ChildProcessError:
        break
print(orphans)
