"""slow_source.py PIPE COMMAND...: runs the command on a terminal of its own, while
what is read from the pipe comes after two seconds."""
import os
import pty
import sys
import threading
import time


def write(pipe):
    os.mkfifo(pipe)
    wait = 2.2
    while True:
        with open(pipe, "w", encoding="utf-8") as file:
            time.sleep(wait)
            file.write("! late\n")
        # The reader comes to the end before the next one begins.
        wait = 0.1
        time.sleep(wait)


threading.Thread(target=write, args=(sys.argv[1],), daemon=True).start()
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
status = pty.spawn(sys.argv[2:])
sys.exit(os.waitstatus_to_exitcode(status))
