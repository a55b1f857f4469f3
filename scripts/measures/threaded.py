"""Random small programs with threads, made for one property: `program(seed, property)` is always the same text.

Each shared cell has a discipline (a mutex, a read-write lock, atomic sections, atomic accesses, one owner, publication by a flag), and a program breaks disciplines often, seldom or never; likewise for the order
of locks, the life of allocated objects and the room before an overflow. So about half of the programs are safe, and the generator does not know which. Loops are bounded, inputs have few values, and each
program has only some of the features: all of them can be explored in full, and each feature is met in simple surroundings as well.
"""
import collections, random

Program = collections.namedtuple("Program", "seed property text")
Cell = collections.namedtuple("Cell", "place discipline")

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""
ORDERS = ["__ATOMIC_SEQ_CST", "__ATOMIC_SEQ_CST", "__ATOMIC_ACQ_REL", "__ATOMIC_RELAXED"]


class Generator:
    def __init__(self, seed, prop):
        self.dice, self.property = random.Random(f"{seed} {prop}"), prop
        self.globals, self.setup, self.helpers, self.names = [], [], [], 0
        self.threads = self.pick(1, 2, 2) if prop != "no-deadlock" else self.pick(1, 2, 2, 2)
        # Towards which end of int numbers grow, and how often disciplines are broken.
        self.upward = self.chance(0.6)
        self.slip = self.pick(0, 0.1, 0.3, 0.5)
        self.mutexes = [self.mutex() for _ in range(self.number(1, 2) + (prop == "no-deadlock"))]
        self.rwlock = self.lazily("pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;")
        self.atomic = self.lazily("_Atomic int at;")
        self.flag = self.lazily("int ready;")
        self.count = self.lazily("int count_of_events;")
        self.condition = self.lazily("pthread_cond_t cond = PTHREAD_COND_INITIALIZER; int signalled;")
        self.cells = [self.cell() for _ in range(self.number(1, 3))]
        self.input = self.chance(0.4)
        self.features = set(self.dice.sample(sorted(FEATURES[prop]), min(self.number(2, 4), len(FEATURES[prop]))))
        self.boxes, self.semaphores, self.barrier = [], [], None

    def chance(self, part):
        return self.dice.random() < part

    def pick(self, *of):
        return self.dice.choice(of)

    def number(self, low, high):
        return self.dice.randint(low, high)

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def lazily(self, declaration):
        """Declares something global with its first use."""
        def use():
            if declaration not in self.globals:
                self.globals.append(declaration)
        return use

    def mutex(self):
        name = self.name("m")
        self.globals.append(f"pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;")
        return name

    def start_value(self):
        if self.property == "no-overflow" and self.chance(0.8):
            return self.pick("2147483647", "2147483646", "2147483644") if self.upward else self.pick("-2147483647 - 1", "-2147483647", "-2147483645")
        return self.pick("0", "0", "1", "5")

    def cell(self):
        """A place that threads share."""
        name, how = self.name("g"), self.pick(0, 1, 2, 2, 5) if self.property == "no-overflow" else self.number(0, 5)
        if how <= 1:
            self.globals.append(f"int {name} = {self.start_value()};")
            place = name
        elif how == 2:
            self.globals.append(f"int {name}[2] = {{{self.start_value()}, 1}};")
            place = f"{name}[{self.pick('0', '1', 'v & 1')}]"
        elif how == 3:
            self.globals.append(f"struct {{ char a; char b; int c; }} {name} = {{1, 2, {self.start_value()}}};")
            place = f"{name}.{self.pick('a', 'b', 'c', 'c')}"
        elif how == 4:
            self.globals.append(f"struct {{ int a : 5; int b : 7; int c; }} {name};")
            place = f"{name}.{self.pick('a', 'b', 'c')}"
        else:
            self.globals.append(f"int *{name};")
            self.setup += [f"{name} = malloc(2 * sizeof(int));", f"{name}[0] = {self.start_value()};", f"{name}[1] = 2;"]
            place = f"{name}[{self.pick('0', '1', 'v & 1')}]"
        is_field = ".a" in place or ".b" in place
        return Cell(place, self.pick(*self.mutexes, *self.mutexes, "rw", "section", "owner", "flag", *([] if is_field else ["atomic"])))

    # What a thread does. A statement is a list of lines; `held` are the mutexes that the thread holds there, and in an atomic section nothing may block.

    def operation(self, place, writes):
        if not writes:
            return [f"x = {place};"]
        if self.property == "no-overflow":
            up = self.upward != self.chance(0.15)
            step = self.pick(f"{place} {'+-'[not up]}= {self.number(1, 3)};", f"{place}{'++' if up else '--'};", f"{place} = {place} {'+-'[not up]} {self.number(1, 2)};", f"{place} {'+-'[not up]}= x & 3;")
            test = f"{place} {'<>'[not up]} {'-'[up:]}{self.pick('2147483640', '2147483645', '2147483646', '2147483647')}"
            return [f"if ({test})", "  " + step] if self.chance(0.5) else [step]
        return [self.pick(f"{place} = {self.number(0, 3)};", f"{place}++;", f"{place} = x;", f"{place} += {self.number(1, 3)};", f"{place} = {place} + x;", f"{place} -= 1;")]

    def access(self, thread, held):
        cell, writes = self.pick(*self.cells), self.chance(0.8 if self.property == "no-overflow" else 0.6)
        body = self.operation(cell.place, writes)
        how = cell.discipline
        if self.chance(self.slip):
            how = self.pick("none", "none", *self.mutexes, "read lock")
        if how in held or how == "none" or (held and how == "rw"):
            return body
        if how in self.mutexes:
            if held and self.mutexes.index(how) < max(self.mutexes.index(m) for m in held) and not self.chance(self.slip):
                return []
            return self.locked(how, body)
        if how in ("rw", "read lock"):
            self.rwlock()
            take = "rdlock" if how == "read lock" or not writes else "wrlock"
            return [f"pthread_rwlock_{take}(&rw);", *body, "pthread_rwlock_unlock(&rw);"]
        if how == "section":
            return ["__VERIFIER_atomic_begin();", *body, "__VERIFIER_atomic_end();"]
        if how == "atomic":
            place, order = cell.place, "__ATOMIC_SEQ_CST"
            return [self.pick(f"__atomic_store_n(&{place}, {self.number(0, 3)}, {order});", f"__atomic_fetch_add(&{place}, 1, {self.pick(*ORDERS)});", f"x = __atomic_exchange_n(&{place}, 2, {order});")] if writes \
                else [f"x = __atomic_load_n(&{place}, {order});"]
        if how == "owner":
            return body if thread == len(cell.place) % (self.threads + 1) else []
        # Published: thread 0 writes and raises the flag, others read once they see it.
        self.flag()
        order = "__ATOMIC_SEQ_CST" if self.chance(0.8) else "__ATOMIC_RELAXED"
        if thread == 0:
            return ["if (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST)) {", *indented(self.operation(cell.place, True)), f"  __atomic_store_n(&ready, 1, {order});", "}"]
        return [f"if (__atomic_load_n(&ready, {order}))", f"  x = {cell.place};"]

    def locked(self, mutex, body):
        how = self.number(0, 9)
        if how == 0:
            return [f"if (pthread_mutex_trylock(&{mutex}) == 0) {{", *indented(body), f"  pthread_mutex_unlock(&{mutex});", "}"]
        if how == 1 and self.input:
            return [f"if (v > 0) pthread_mutex_lock(&{mutex});", "if (v > 0) {" if not self.chance(self.slip) else "{", *indented(body), "}", f"if (v > 0) pthread_mutex_unlock(&{mutex});"]
        return [f"pthread_mutex_lock(&{mutex});", *body, f"pthread_mutex_unlock(&{mutex});"]

    def loop(self, thread, held):
        i = self.name("i")
        return [f"for (int {i} = 0; {i} < 2; {i}++) {{", *indented(self.access(thread, held)), "}"]

    def branch(self, thread, held):
        condition = self.pick("x > 0", "x == 1", "__VERIFIER_nondet_bool()", *(["v == 1", "v != 0"] if self.input else []))
        return [f"if ({condition}) {{", *indented(self.access(thread, held) or ["x++;"]), "}"]

    def nested(self, thread, held):
        """Two locks: in the common order, or not."""
        if held or len(self.mutexes) < 2:
            return self.access(thread, held)
        first, second = sorted(self.dice.sample(range(len(self.mutexes)), 2))
        if self.chance(2 * self.slip):
            first, second = second, first
        a, b = self.mutexes[first], self.mutexes[second]
        inner = self.access(thread, [a, b])
        if self.chance(0.2):
            return [f"pthread_mutex_lock(&{a});", f"if (pthread_mutex_trylock(&{b}) == 0) {{", *indented(inner), f"  pthread_mutex_unlock(&{b});", "}", f"pthread_mutex_unlock(&{a});"]
        ends = [f"pthread_mutex_unlock(&{b});", f"pthread_mutex_unlock(&{a});"]
        if self.chance(0.2):
            ends.reverse()
        return [f"pthread_mutex_lock(&{a});", *self.access(thread, [a]), f"pthread_mutex_lock(&{b});", *inner, *ends]

    def forgotten(self, thread, held):
        """A lock that is kept on one way out."""
        if held:
            return []
        m = self.pick(*self.mutexes)
        unlock = [] if self.chance(self.slip) else [f"  pthread_mutex_unlock(&{m});"]
        return [f"pthread_mutex_lock(&{m});", f"if ({self.pick('x == 1', '__VERIFIER_nondet_bool()')}) {{", *unlock, "  return 0;", "}", *self.access(thread, [m]), f"pthread_mutex_unlock(&{m});"]

    def upgrade(self, thread, held):
        """A read lock inside a mutex, or around it."""
        self.rwlock()
        take = self.pick("rdlock", "rdlock", "wrlock")
        inner = self.locked(self.pick(*self.mutexes), ["x++;"]) if not held and self.chance(2 * self.slip) else ["x++;"]
        lines = [f"pthread_rwlock_{take}(&rw);", *inner, "pthread_rwlock_unlock(&rw);"]
        return lines if held else self.locked(self.mutexes[-1], lines) if self.chance(0.5) and len(inner) == 1 else lines

    def c11(self, thread, held):
        self.atomic()
        return [self.pick("at++;", "at = 1;", "x = at;", "at += x;", "x = at--;")]

    def wait(self, thread, held):
        """Condition variables: the flag is tested in a loop, once, or not at all."""
        if held:
            return []
        self.condition()
        m = self.mutexes[0]
        if thread == 0 or self.chance(0.3):
            signal = self.pick("pthread_cond_signal(&cond);", "pthread_cond_broadcast(&cond);")
            return [f"pthread_mutex_lock(&{m});", *([] if self.chance(self.slip) else ["signalled = 1;"]), signal, f"pthread_mutex_unlock(&{m});"]
        test = self.pick("if (!signalled)", "") if self.chance(self.slip) else "while (!signalled)"
        return [f"pthread_mutex_lock(&{m});", *([test] if test else []), "  " * bool(test) + f"pthread_cond_wait(&cond, &{m});", *self.access(thread, [m]), f"pthread_mutex_unlock(&{m});"]

    def semaphore(self, thread, held):
        if not self.semaphores:
            name = self.name("sem")
            self.semaphores.append(name)
            self.globals.append(f"sem_t {name};")
            self.setup.append(f"sem_init(&{name}, 0, {self.pick(0, 1, 1, 2)});")
        s = self.semaphores[0]
        if held and not self.chance(self.slip):
            return [f"sem_post(&{s});"]
        how = self.number(0, 4)
        if how == 0:
            return [f"sem_post(&{s});"]
        if how == 1:
            return [f"if (sem_trywait(&{s}) == 0) {{", *indented(self.access(thread, held)), f"  sem_post(&{s});", "}"]
        if how == 2:
            return [f"sem_post(&{s});"] if thread == 0 else [f"sem_wait(&{s});", *self.access(thread, held)]
        return [f"sem_wait(&{s});", *self.operation(self.pick(*self.cells).place, True), f"sem_post(&{s});"]

    def box(self):
        if not self.boxes:
            name = self.name("box")
            self.boxes.append((name, self.pick(*self.mutexes) if self.chance(0.8) else None))
            self.globals.append(f"int *{name};")
            if self.chance(0.8):
                self.setup += [f"{name} = malloc(sizeof(int));", f"*{name} = 1;"]
        return self.boxes[0]

    def lifetime(self, thread, held):
        """An object that threads use, free and replace."""
        p, mutex = self.box()
        careful = not self.chance(2 * self.slip)
        test = [f"if ({p})"] if careful else []
        how = self.number(0, 5)
        if how <= 2:
            body = test + ["  " * careful + self.pick(f"x = *{p};", f"*{p} = 2;", f"*{p} += 1;", f"memset({p}, 0, sizeof(int));")]
        elif how == 3:
            body = [f"free({p});"] + ([f"{p} = 0;"] if careful else [])
        elif how == 4:
            body = ([f"free({p});"] if careful else []) + [f"{p} = {self.pick('malloc', 'malloc')}(sizeof(int));", f"*{p} = 3;"]
        else:
            body = test + ["  " * careful + f"x += {p}[{self.pick('0', '0', 'v & 1' if self.chance(self.slip) else '0')}];"]
        if mutex is None or mutex in held or self.chance(self.slip):
            return body
        if held:
            return []
        return [f"pthread_mutex_lock(&{mutex});", *body, f"pthread_mutex_unlock(&{mutex});"]

    def own(self, thread, held):
        """Memory of one thread."""
        p = self.name("own")
        size = self.pick(1, 2, 4)
        index = f"x & {size - 1}" if not self.chance(self.slip) else f"x & {size}"
        return [f"char *{p} = malloc({size});", f"{p}[{index}] = 1;", f"x = {p}[{index}];"] + ([] if self.chance(self.slip) else [f"free({p});"])

    def table(self, thread, held):
        """An array with an index that others may change."""
        self.count()
        self.lazily("int table[3];")()
        body = [f"table[{self.pick('count_of_events & 1', 'x & 1', *(['v'] if self.input else ['1']))}] = 1;"]
        if self.chance(0.5):
            body = self.pick(["if (count_of_events < 3)", "  table[count_of_events++] = 2;"], ["if (count_of_events < 2)", "  count_of_events++;", "table[count_of_events] = 1;"], ["table[count_of_events] = 1;", "if (count_of_events == 2)", "  count_of_events = 0;", "count_of_events++;"])
        if held:
            return body
        m = self.mutexes[0]
        return body if self.chance(self.slip) else [f"pthread_mutex_lock(&{m});", *body, f"pthread_mutex_unlock(&{m});"]

    def arithmetic(self, thread, held):
        big = self.pick("715827882", "1073741823", "2000000000", "1000", "30000")
        lines = [self.pick(f"x = (x & 3) * {big};", f"x = (x & 1) + {big};", f"x = -{big} - (x & 3);", f"x = x * {big};", f"x = x + {big};", "x = (x & 7) << 4;", "x = -x;", "x = x / 2;")]
        if self.input and self.chance(0.5):
            lines = [self.pick(f"x = v * {big};", f"x = {big} - v * 1000;", f"x = (x & 1) << (v + {self.pick(3, 27, 28)});")]
        return lines

    def body(self, thread, count):
        lines = []
        for _ in range(count):
            kind = self.pick(*sorted(self.features - {"phases"}), *USUAL[self.property])
            lines += getattr(self, kind)(thread, []) or self.access(thread, [])
        return lines

    def text(self):
        # Phases: a barrier that all threads are to pass; `main` is thread 0.
        functions, barrier = [], "phases" in self.features and self.chance(0.8)
        everyone = self.threads + 1
        if barrier:
            self.globals.append("pthread_barrier_t barrier;")
            self.setup.append(f"pthread_barrier_init(&barrier, 0, {everyone - (self.pick(0, 1) if self.chance(self.slip) else 0)});")
        bodies = []
        for thread in range(everyone):
            lines = self.body(thread, self.number(1, 3))
            if barrier:
                at = self.pick(0, len(lines)) if thread else 0
                lines[at:at] = ["pthread_barrier_wait(&barrier);"] if not self.chance(self.slip / 2) else []
                lines += self.body(thread, 1)
            bodies.append(lines)
        given = self.pick("heap", "stack", "", "", "") if self.property == "valid-memsafety" else ""
        for thread in range(1, everyone):
            ends = ["free(mine);"] if given == "heap" and not self.chance(self.slip / 2) else []
            start = ["int *mine = argument;", "int x = *mine;", *ends] if given else [f"int x = {self.pick(0, 1)};"]
            functions.append(f"void *thread{thread}(void *argument)\n{{\n" + "\n".join(indented(start + self.local_input() + bodies[thread] + ["return 0;"])) + "\n}\n")
        main = [f"int x = {self.pick(0, 1)};"] + self.local_input() + [f"pthread_t t{thread};" for thread in range(1, everyone)]
        start, joined = [], [thread for thread in range(1, everyone) if self.chance(0.85)]
        for thread in range(1, everyone):
            argument = "0"
            if given == "stack" and thread == everyone - 1:
                # The thread is given a local of a call that ends, perhaps before the thread does.
                waits = not self.chance(self.slip)
                functions.append(f"void start{thread}(pthread_t *t)\n{{\n  int here = 1;\n  pthread_create(t, 0, thread{thread}, &here);\n" + "  pthread_join(*t, 0);\n" * waits + "}\n")
                start.append(f"start{thread}(&t{thread});")
                if waits and thread in joined:
                    joined.remove(thread)
                continue
            if given == "stack":
                argument = "&x"
            if given == "heap":
                argument = f"given{thread}"
                start += [f"int *{argument} = malloc(sizeof(int));", f"*{argument} = {thread};"]
            start.append(f"pthread_create(&t{thread}, 0, thread{thread}, {argument});")
        joins = [f"pthread_join(t{thread}, 0);" for thread in joined]
        first, rest = bodies[0], []
        if self.chance(0.3) and not barrier:
            first, rest = [], bodies[0]
        after = self.closing()
        main += self.setup + start + first + joins + rest + after + ["return 0;"]
        return HEAD + "\n".join(self.globals) + "\n\n" + "\n".join(functions) + "\nint main(void)\n{\n" + "\n".join(indented(main)) + "\n}\n"

    def local_input(self):
        if not self.input:
            return ["int v = 1;"]
        return ["int v = __VERIFIER_nondet_int();", "__VERIFIER_assume(v >= 0 && v <= 2);"]

    def closing(self):
        """What is left at the end."""
        lines = []
        if self.property == "valid-memsafety":
            for p, _ in self.boxes:
                lines += self.pick([f"free({p});"], [f"free({p});"], [f"{p} = 0;"] if self.chance(2 * self.slip) else [])
            for line in self.setup:
                name = line.split(" = ")[0]
                if "2 * sizeof" in line and not self.chance(self.slip):
                    lines.append(self.pick(f"free({name});", f"free({name});", "x++;"))
        elif self.chance(0.5):
            lines += self.operation(self.pick(*self.cells).place, self.chance(0.5))
        return lines


FEATURES = {
    "no-data-race": ["access", "loop", "branch", "nested", "c11", "wait", "semaphore", "phases", "upgrade", "lifetime", "own", "table"],
    "no-deadlock": ["nested", "forgotten", "upgrade", "wait", "semaphore", "phases", "branch", "loop"],
    "valid-memsafety": ["lifetime", "own", "table", "branch", "access", "wait", "semaphore"],
    "no-overflow": ["access", "arithmetic", "loop", "branch", "nested", "c11", "table"],
}


# What every program of a property does.
USUAL = {"no-data-race": ["access", "access"], "no-deadlock": ["access", "nested"], "valid-memsafety": ["lifetime", "lifetime"], "no-overflow": ["access", "access"]}


def indented(lines):
    return ["  " + line for line in lines]


def program(seed, prop):
    return Program(seed, prop, f"// seed {seed}, {prop}\n" + Generator(seed, prop).text())
