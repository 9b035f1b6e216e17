"""SimPy, either of its two interfaces: `simpy` (3 and later), or `SimPy.Simulation` (2, what Debian has).

    simpy_peer.py w1 PENDING CALLBACKS | w2 CALLBACKS
"""

import random
import sys

workload, *numbers = sys.argv[1:]
pending, callbacks = (1, int(numbers[0])) if workload == "w2" else map(int, numbers)
done = 0
pick = random.Random(1).random


def delay():
    return 0 if workload == "w2" else 1 + int(pick() * 1000)


try:
    import simpy
except ImportError:
    from SimPy.Simulation import Process, activate, hold, initialize, simulate, stopSimulation

    class Timer(Process):
        def again(self):
            global done
            while True:
                yield hold, self, delay()
                done += 1
                if done >= callbacks:
                    stopSimulation()

    initialize()
    for _ in range(pending):
        timer = Timer()
        activate(timer, timer.again())
    simulate(until=1e18)
else:

    class Enough(Exception):
        pass

    def again(environment):
        global done
        while True:
            yield environment.timeout(delay())
            done += 1
            if done >= callbacks:
                raise Enough

    environment = simpy.Environment()
    for _ in range(pending):
        environment.process(again(environment))
    try:
        environment.run()
    except Enough:
        pass

print(done)
