#!/usr/bin/env python3
"""A trace as CUFORT_TRACE writes it, of as many events as asked for.

usage: synthetic.py EVENTS OUTPUT.json

A solver's steps: two host threads launch kernels on four streams, two workers
run them; ranges of NVTX around the steps, copies, and device memory that grows
and shrinks. The same number gives the same trace.
"""
import random
import sys

KERNELS = ["advance", "flux of module euler", "halo<double>", "reduce_max",
           "apply boundary", "matvec<float, 128>", "axpy", "residual", "smooth", "restrict"]


def number(nanoseconds):
    text = f"{nanoseconds / 1000:.3f}".rstrip("0").rstrip(".")
    return text or "0"


class Writer:
    def __init__(self, file):
        self.file = file
        self.between = "[\n"
        self.events = 0

    def line(self, text):
        self.file.write(self.between + text)
        self.between = ",\n"

    def name(self, kind, pid, tid, name):
        self.line(f'{{"ph":"M","pid":{pid},"tid":{tid},"name":"{kind}",'
                  f'"args":{{"name":"{name}"}}}}')

    def event(self, pid, tid, name, category, begin, end, arguments=None):
        self.events += 1
        args = f',"args":{arguments}' if arguments else ""
        self.line(f'{{"ph":"X","pid":{pid},"tid":{tid},"name":"{name}","ts":{number(begin)},'
                  f'"dur":{number(end - begin)},"cat":"{category}"{args}}}')


def write(count, file):
    chance = random.Random(1)
    out = Writer(file)
    for pid, name in ((0, "host"), (1, "device 0"), (2, "workers of device 0")):
        out.name("process_name", pid, 0, name)
    for thread in (1, 2):
        out.name("thread_name", 0, thread, f"thread {thread}")
    for stream in range(1, 5):
        out.name("thread_name", 1, stream, f"stream {stream}")
    for worker in (0, 1):
        out.name("thread_name", 2, worker, f"worker {worker}")
    out.line('{"ph":"M","pid":1,"tid":0,"name":"cufort_device","args":{"device":0,'
             '"name":"An invented processor","kind":"cpu"}}')
    host = [1000, 1500]
    stream_free = [0] * 5
    worker_free = [0, 0]
    ident = 0
    memory = 0
    step = 0
    while out.events < count:
        thread = step % 2
        step += 1
        start = host[thread]
        if step % 50 == 1:
            memory = 1 << 20 if memory > 1 << 28 else memory + chance.randrange(1 << 24)
            out.event(0, thread + 1, "allocate", "call", host[thread], host[thread] + 3000,
                      '{"at":"solver.cuf:12"}')
            host[thread] += 3200
            out.line(f'{{"ph":"C","pid":1,"tid":0,"name":"device memory","ts":'
                     f'{number(host[thread])},"args":{{"bytes":{memory}}}}}')
        for _ in range(chance.randrange(4, 9)):
            ident += 1
            which = chance.randrange(len(KERNELS))
            stream = 1 + which % 4
            at = f'"at":"solver.cuf:{40 + which}"'
            call = host[thread]
            copy = chance.random() < 0.08
            out.event(0, thread + 1, "cudaMemcpyAsync" if copy else "launch of a kernel", "call",
                      call, call + chance.randrange(700, 2500), f"{{{at}}}")
            out.line(f'{{"ph":"s","pid":0,"tid":{thread + 1},"name":"launch","cat":"launch",'
                     f'"ts":{number(call)},"id":{ident}}}')
            host[thread] = call + chance.randrange(2600, 4000)
            begin = max(call + 3000, stream_free[stream], worker_free[which % 2])
            end = begin + int(chance.expovariate(1 / (1500 * (1 + which % 5)))) + 400
            stream_free[stream] = worker_free[which % 2] = end
            if copy:
                out.event(1, stream, "copy", "copy", begin, end,
                          f'{{"bytes":{chance.randrange(1, 64) * 4096},'
                          f'"direction":"host to device",{at}}}')
            else:
                out.event(1, stream, KERNELS[which], "kernel", begin, end,
                          f'{{"grid":"{64 << which % 3}x1x1","block":"256x1x1",'
                          f'"vector_bits":512,{at}}}')
                out.event(2, which % 2, KERNELS[which], "worker", begin, end - 20)
            out.line(f'{{"ph":"f","pid":1,"tid":{stream},"bp":"e","name":"launch",'
                     f'"cat":"launch","ts":{number(begin)},"id":{ident}}}')
        if step % 10 == 0:
            end = max(stream_free)
            out.event(0, thread + 1, "cudaDeviceSynchronize", "call", host[thread],
                      max(end, host[thread]) + 500, f'{{"at":"solver.cuf:60"}}')
            host[thread] = max(end, host[thread]) + 700
        out.event(0, thread + 1, "step" if step % 10 else "step with output", "nvtx", start,
                  host[thread])
        host[thread] += 200
    file.write("\n]\n")


def main():
    count, path = sys.argv[1:]
    with open(path, "w", encoding="utf-8") as file:
        write(int(count), file)


main()
