"""Random sequential C programs with planted signed overflows or memory errors: `program(seed)` is always the same text.

A program is a few functions that people write (a parser of digits, a list, a checked sum), each called from `main` with inputs in ranges; one of them may have a planted mistake. A line has at most
one operation that can go wrong, so that lines can be compared. Nothing depends on addresses, on uninitialised memory or on the order of evaluation, no index leaves an object by more than the red zones
of AddressSanitizer are wide, and no access leaves an inner array or a member inside its object (UBSan counts those, valid-deref does not).
"""
import collections, random

Program = collections.namedtuple("Program", "seed property planted text")

INPUTS = {"int": "int", "long": "long", "short": "short", "char": "char", "unsigned": "uint", "unsigned char": "uchar", "unsigned short": "ushort", "_Bool": "bool"}
LIMITS = {"int": ("-2147483647 - 1", "2147483647"), "long": ("-9223372036854775807L - 1", "9223372036854775807L")}


class Writer:
    """The text of a program in the making; the shapes below add to it."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.globals, self.functions, self.body, self.count = [], [], [], 0

    def chance(self, part):
        return self.dice.random() < part

    def pick(self, *of):
        return self.dice.choice(of)

    def number(self, low, high):
        return self.dice.randint(low, high)

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def input(self, kind, low=None, high=None):
        """A local of `main` with an input, in a range if one is given."""
        name = self.name("in")
        self.body.append(f"{kind} {name} = __VERIFIER_nondet_{INPUTS[kind]}();")
        if low is not None:
            style = self.number(0, 2)
            outside = f"{name} < {low} || {name} > {high}"
            self.body.append([f"if ({outside}) return 0;", f"__VERIFIER_assume({name} >= {low} && {name} <= {high});", f"if ({outside}) {name} = {low};"][style])
        return name

    def function(self, head, lines):
        self.functions.append(f"{head}\n{{\n" + "\n".join("  " + line for line in lines) + "\n}\n")

    def call(self, text):
        self.body.append(f"sink += (unsigned long)({text});")

    def text(self, title):
        declarations = [f"extern {kind} __VERIFIER_nondet_{name}(void);" for kind, name in INPUTS.items()]
        head = [f"// {title}", "#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", "extern void __VERIFIER_assume(int);"] + declarations
        body = ["int main(void)", "{"] + ["  " + line for line in self.body] + ["  return sink == 12345;", "}"]
        return "\n".join(head + ["unsigned long sink;"] + self.globals + [""] + self.functions + body) + "\n"


# Signed overflow. Each shape takes the writer and whether the mistake is to be planted.

def digits(w, bad):
    kind = w.pick("int", "long")
    length = (9 if kind == "int" else 18) + (w.number(1, 2) if bad else -w.number(0, 4))
    f, n = w.name("parse"), w.input("int", 0, length)
    one = w.pick("__VERIFIER_nondet_uchar() % 10", "(__VERIFIER_nondet_int() & 7) + 2")
    step = w.pick(["value = value * 10 + digit;"], ["value *= 10;", "value += digit;"])
    w.function(f"{kind} {f}(int n)", [f"{kind} value = 0;", "for (int i = 0; i < n; i++) {", f"  int digit = {one};", *("  " + s for s in step), "}",
                                      *w.pick([], ["if (value == 0)", "  return 1;"]), "return value;"])
    w.call(f"{f}({n})")


def average(w, bad):
    kind = w.pick("int", "long")
    f, a, b = w.name("average"), w.input(kind, 0, LIMITS[kind][1]), w.input(kind, 0, LIMITS[kind][1])
    lines = ["return (low + high) / 2;"] if bad else ["if (low > high)", "  return high + (low - high) / 2;", "return low + (high - low) / 2;"]
    w.function(f"{kind} {f}({kind} low, {kind} high)", lines)
    w.call(f"{f}({a}, {b})")


def magnitude(w, bad):
    kind = w.pick("int", "long")
    low = f"({LIMITS[kind][0]})"
    f, x = w.name("magnitude"), w.input(kind)
    negate = w.pick("return -x;", "return 0 - x;", "x = -x;", "x *= -1;", "x = x / -1;")
    guard = [] if bad else [f"if (x == {low})", "  return 0;"]
    w.function(f"{kind} {f}({kind} x)", [*guard, "if (x < 0)", "  " + negate, "return x;"])
    w.call(f"{f}({x})")


def factorial(w, bad):
    kind, most = w.pick(("int", 12), ("long", 20))
    f, n = w.name("factorial"), w.input("int", 0, most + (w.number(1, 3) if bad else 0))
    if w.chance(0.5):
        w.function(f"{kind} {f}(int n)", ["if (n < 2)", "  return 1;", f"return n * {f}(n - 1);"])
    else:
        w.function(f"{kind} {f}(int n)", [f"{kind} product = 1;", "for (int i = 2; i <= n; i++)", "  " + w.pick("product *= i;", "product = product * i;", "product = i * product;"), "return product;"])
    w.call(f"{f}({n})")


def shift(w, bad):
    kind, width = w.pick(("int", 32), ("long", 64))
    negative = bad and w.chance(0.4)
    room = w.number(1, 8)
    x = w.input(kind, -2 if negative else 0, (1 << room) - 1)
    n = w.input("int", 0, width - 1 - room + (w.number(1, room) if bad and not negative else 0))
    f = w.name("shift")
    w.function(f"{kind} {f}({kind} x, int n)", w.pick(["return x << n;"], ["x <<= n;", "return x;"], [f"{kind} mask = x << n;", "return mask | 1;"]))
    w.call(f"{f}({x}, {n})")


def narrow_shift(w, bad):
    """`char` and `short` are promoted: a shift that leaves the narrow type is defined, one that leaves int is not."""
    f, x = w.name("pack"), w.input("unsigned char")
    w.function(f"int {f}(unsigned char x)", [f"unsigned char low = x;", "low <<= 3;", f"int high = x << {24 if bad else w.number(8, 23)};", "return high | low;"])
    w.call(f"{f}({x})")


def difference(w, bad):
    kind = w.pick("int", "long") if bad else "int"
    f, a, b = w.name("compare"), w.input(kind), w.input(kind)
    if bad:
        w.function(f"int {f}({kind} a, {kind} b)", w.pick(["if (a - b < 0)", "  return -1;", "return a != b;"], ["a -= b;", "return a < 0 ? -1 : a > 0;"]))
    else:
        w.function(f"int {f}(int a, int b)", w.pick(["if (a < b)", "  return -1;", "return a > b;"], ["long d = (long)a - b;", "return d < 0 ? -1 : d > 0;"], ["return (int)((unsigned)a - (unsigned)b);"]))
    w.call(f"{f}({a}, {b})")


def division(w, bad):
    kind, op = w.pick("int", "long"), w.pick("/", "%", "/=", "%=")
    low = f"({LIMITS[kind][0]})"
    f, a, b = w.name("divide"), w.input(kind), w.input(kind, -3, 3)
    guard = ["if (b == 0)", "  return 0;"] + ([] if bad else w.pick(["if (b == -1)", "  return 1;"], [f"if (a == {low} && b == -1)", "  return 1;"], [f"if (a < 0 && b < 0 && a <= {low})", "  return 2;"]))
    w.function(f"{kind} {f}({kind} a, {kind} b)", guard + ([f"a {op} b;", "return a;"] if "=" in op else [f"return a {op} b;"]))
    w.call(f"{f}({a}, {b})")


def step(w, bad):
    """`++` and `--` at the end of a type; of char and short they are arithmetic of int and never overflow."""
    kind = w.pick("int", "long") if bad else w.pick("int", "long", "short", "char")
    up, x = w.chance(0.5), w.input(kind)
    f, op = w.name("next"), "++" if up else "--"
    if kind in LIMITS and not bad:
        guard = [f"if (x {'>=' if up else '<='} {LIMITS[kind][up]})", "  return 0;"]
    else:
        guard = w.pick([], ["if (x == 0)", "  return 0;"])
    w.function(f"{kind} {f}({kind} x)", guard + w.pick([f"x{op};"], [f"{op}x;"], [f"{kind} *p = &x;", f"(*p){op};"], [f"{kind} a[2] = {{x, 1}};", f"x = a[0]{op};", "x = a[0];"]) + ["return x;"])
    w.call(f"{f}({x})")


def product(w, bad):
    """unsigned short is promoted to int, so its product may overflow; that of unsigned int may not."""
    f = w.name("area")
    a, b = w.input("unsigned short"), w.input("unsigned short")
    kind = "unsigned short" if bad else w.pick("unsigned char", "short", "unsigned", "char")
    w.function(f"unsigned {f}({kind} a, {kind} b)", ["unsigned result = a * b;", "return result;"])
    w.call(f"{f}({a}, {b})")


def hash_of(w, bad):
    kind = w.pick("int", "long") if bad else w.pick("unsigned", "unsigned long", "int")
    rounds = w.number(6, 9) if bad or kind != "int" else w.number(2, 4)
    if bad and kind == "long":
        rounds = 16
    f, n, c = w.name("hash"), w.input("int", 0, rounds), w.input("unsigned char", 1, 100)
    w.function(f"{kind} {f}(int n, unsigned char c)", [f"{kind} h = 17;", "for (int i = 0; i < n; i++)", f"  h = h * 31 + c;" if w.chance(0.5) else "  h = (h << 5) + c;" if not bad and kind != "int" else "  h = 31 * h + c % 7;", "return h;"])
    w.call(f"{f}({n}, {c})")


def account(w, bad):
    f, n = w.name("pay"), w.input("int", 1, w.number(2, 4))
    t = w.name("account")
    w.globals.append(f"struct {t} {{ int limit; int balance; }} one_{t} = {{1000, {w.pick('0', '2147480000', '-2147483000')}}};")
    x = "amount"
    guard = [] if bad else ["if (amount < 0 || amount > 1000)", "  return -1;"]
    down = [f"if (a->balance < {LIMITS['int'][0]} + amount)", "  return -2;", "a->balance -= amount;"]
    up = ["if (a->balance > 2147483647 - amount)", "  return -2;", "a->balance += amount;"]
    w.function(f"int {f}(struct {t} *a, int amount)", guard + (["a->balance += amount;"] if bad else w.pick(up, down)) + ["return a->balance;"])
    w.body.append(f"for (int i = 0; i < {n}; i++)")
    w.body.append(f"  sink += (unsigned)({f}(&one_{t}, __VERIFIER_nondet_{w.pick('int', 'short')}()));")


def prefix(w, bad):
    size = w.number(2, 5)
    most = 2147483647 // size + (w.number(1, 1000) if bad else 0)
    f, a = w.name("prefix"), w.name("values")
    w.globals.append(f"int {a}[{size}];")
    w.body.append(f"for (int i = 0; i < {size}; i++) {{")
    w.body.append(f"  {a}[i] = __VERIFIER_nondet_int();")
    w.body.append(f"  __VERIFIER_assume({a}[i] >= 0 && {a}[i] <= {most});")
    w.body.append("}")
    w.function(f"int {f}(int *v, int n)", w.pick(["int total = 0;", "for (int i = 0; i < n; i++)", "  total += v[i];", "return total;"],
                                                 ["int total = 0;", "while (n-- > 0)", "  total = *v++ + total;", "return total;"],
                                                 ["for (int i = 1; i < n; i++)", "  v[i] += v[i - 1];", "return v[n - 1];"]))
    w.call(f"{f}({a}, {size})")


def recursion(w, bad):
    f, n = w.name("grow"), w.input("int", 0, w.number(5, 7) if bad else 3)
    factor = w.pick(40, 50, 60) if bad else w.number(2, 20)
    w.function(f"int {f}(int n, int x)", ["if (n == 0)", "  return x;", f"return {f}(n - 1, x * {factor});"])
    w.call(f"{f}({n}, {w.number(1, 3)})")


def mixed(w, bad):
    """Operations at the type of the operation: `int += long` is computed in long and only converted."""
    f, x, y = w.name("mixed"), w.input("int"), w.input("short")
    fine = ["x += 1L;", "x = x + 1u;", "y += y;", "y *= 3;", "x -= 2147483647L;", "x = (short)x * y;", "x = (int)((long)x * y);", "x ^= y;", "x >>= 3;", "x = y - 40000;", "x = -y;", "x += 5ul;", "y++;"]
    wrong = ["x += y;", "x -= y;", "x *= y;", "x = x + y * 2;", "x = y - x;", "x = ~x + 2;", "x = (x | 1) * 3;", "x = x - (x > 5 ? -1 : 1);"]
    lines = w.dice.sample(fine, w.number(2, 4))
    if bad:
        lines.insert(w.number(0, len(lines)), w.pick(*wrong))
    if w.chance(0.4):
        lines = ["switch (y & 3) {", "case 0:", "  " + lines[0], "  break;", "case 1:", "  " + lines[1], "default:", *("  " + line for line in lines[2:]), "  break;", "}"]
    w.function(f"int {f}(int x, short y)", lines + ["return x ^ y;"])
    w.call(f"{f}({x}, {y})")


def expression(w, bad):
    """Any arithmetic on inputs of small ranges, scaled so that overflow is likely or unlikely."""
    f, scale = w.name("compute"), w.pick(30000, 70000, 2000000) if bad else w.pick(3, 20, 100)
    names = [w.input("int", -scale, scale) for _ in range(w.number(2, 3))]
    parameters = [f"v{i}" for i in range(len(names))]
    lines, atoms = [], list(parameters)
    for i in range(w.number(3, 6)):
        kind, op = w.pick("int", "int", "int", "long", "short"), w.pick("+", "-", "*", "+", "*")
        left, right = w.pick(*atoms), w.pick(*atoms, str(w.number(1, 9)))
        if kind == "short":
            lines.append(f"int w{i} = {left} {op} {right};")
        lines.append(f"{kind} t{i} = " + (f"w{i};" if kind == "short" else f"{left} {op} {right};"))
        if w.chance(0.3):
            lines.append(f"if (t{i} > {w.number(0, scale)})")
            lines.append(f"  t{i} = {w.pick(*atoms)};")
        atoms.append(f"t{i}")
    # Products of products of small numbers grow as well: the safe programs cut each value down.
    if not bad:
        lines = [piece for line in lines for piece in ([line, f"{line.split()[1]} %= {w.pick(97, 1000)};"] if " t" in line and not line.startswith(("  ", "if")) else [line])]
    w.function(f"long {f}({', '.join('int ' + p for p in parameters)})", lines + [f"return {atoms[-1]};"])
    w.call(f"{f}({', '.join(names)})")


OVERFLOW = [digits, average, magnitude, factorial, shift, narrow_shift, difference, division, step, product, hash_of, account, prefix, recursion, mixed, expression, expression]


# Memory errors.

def storage(w, kind, size):
    """An array of so many elements with static, automatic or allocated storage: the lines that make it and the lines that end it."""
    a, where = w.name("a"), w.pick("global", "stack", "heap", "heap")
    if where == "global":
        w.globals.append(f"{kind} {a}[{size}];")
        return a, [], []
    if where == "stack":
        return a, [f"{kind} {a}[{size}] = {{0}};"], []
    make = w.pick(f"malloc({size} * sizeof({kind}))", f"calloc({size}, sizeof({kind}))")
    return a, [f"{kind} *{a} = {make};", f"memset({a}, 0, {size} * sizeof({kind}));"], [f"free({a});"]


def index(w, bad):
    size, kind = w.number(2, 6), w.pick("int", "char", "long", "short")
    a, make, end = storage(w, kind, size)
    f = w.name("get")
    i = w.input("int", w.pick(-1, 0) if bad else 0, size - 1 + (w.number(0, 1) if bad else 0))
    access = w.pick([f"{a}[i] = 1;"], [f"{kind} r = {a}[i];", f"{a}[0] = r;"], [f"{kind} *p = {a} + i;", "*p += 1;"], [f"{a}[i]++;"])
    guard = [] if not bad or w.chance(0.5) else ["if (i < -1)", "  return 0;"]
    extra = [f"{a}[{size - 1}] = 2;"]
    if bad:
        extra = [f"i += {w.number(0, 1)};"] + extra
    w.function(f"int {f}(int i)", make + guard + extra + access + [f"int result = {a}[0];"] + end + ["return result;"])
    w.call(f"{f}({i})")


def fill(w, bad):
    size, kind = w.number(2, 6), w.pick("int", "char", "long")
    a, make, end = storage(w, kind, size)
    f, n = w.name("fill"), w.input("int", 0, size + (w.number(0, 1) if bad else 0))
    test = w.pick("i <= n", "i < n + 1") if bad else "i < n"
    lines = w.pick([f"for (int i = 0; {test}; i++)", f"  {a}[i] = i;"], ["int i = 0;", f"while ({test}) {{", f"  {a}[i] = 3;", "  i++;", "}"],
                   [f"{kind} *p = {a};", f"for (int i = 0; {test}; i++)", "  *p++ = 1;"])
    w.function(f"int {f}(int n)", make + lines + [f"int result = {a}[0];"] + end + ["return result;"])
    w.call(f"{f}({n})")


def after_free(w, bad):
    f, x = w.name("release"), w.input("int")
    t = w.name("box")
    w.globals.append(f"struct {t} {{ int value; struct {t} *other; }};")
    condition = w.pick("x > 5", "x % 4 == 1", "x < 0 || x == 77")
    use = w.pick("result = b->value;", "b->value = 1;", "b->other = b;")
    lines = [f"struct {t} *b = malloc(sizeof *b);", "b->value = x;", "b->other = 0;", "int result = 0;"]
    if bad:
        lines += [f"if ({condition})", "  free(b);", use, f"if (!({condition}))", "  free(b);"]
    else:
        lines += [f"if ({condition})", "  " + use, "free(b);"]
    w.function(f"int {f}(int x)", lines + ["return result;"])
    w.call(f"{f}({x})")


def after_return(w, bad):
    f, g, x, p = w.name("remember"), w.name("recall"), w.input("int"), w.name("kept")
    w.globals.append(f"int *{p}, {p}_home;")
    w.function(f"void {f}(int x)", ["int local = x;" if bad else "int local = 5;", f"{p} = x > 3 ? &local : &{p}_home;" if bad else f"{p} = &{p}_home;", f"*{p} = local;"])
    w.function(f"int {g}(void)", [f"return *{p};"])
    w.body.append(f"{f}({x});")
    w.call(f"{g}()")


def after_scope(w, bad):
    f, x = w.name("scope"), w.input("int")
    lines = ["int outer = 1;", "int *p = &outer;", "if (x > 2) {", "  int inner = x;", "  p = &inner;", "  outer = *p > 7;", *([] if bad else ["  p = &outer;"]), "}", "*p = 3;", "return outer;"]
    w.function(f"int {f}(int x)", lines)
    w.call(f"{f}({x})")


def double_free(w, bad):
    f, x = w.name("twice"), w.input("int")
    lines = ["char *p = malloc(4);", "p[0] = 1;", "int result = p[0];", "if (x == 3 || x > 100) {", "  free(p);", *([] if bad else ["  p = 0;"]), "}", "free(p);", "return result;"]
    w.function(f"int {f}(int x)", lines)
    w.call(f"{f}({x})")


def wrong_free(w, bad):
    f, x, g = w.name("discard"), w.input("int", 0, 3), w.name("area")
    w.globals.append(f"long {g}[4];")
    make, other = w.pick(("malloc(32)", "p + 1"), ("malloc(32)", "p + x"), ("calloc(4, 8)", "local"), ("malloc(40)", f"{g}"), ("malloc(32)", f"&{g}[1]"))
    lines = [f"long *p = {make};", "long local[2] = {1, 2};", "p[0] = local[0];", "long result = p[0];"]
    if bad:
        lines += ["long *q = p;", "if (x > 1)", f"  q = {other};", "free(q);", "if (q != p)", "  free(p);"]
    else:
        lines += ["free(p);"]
    w.function(f"long {f}(int x)", lines + ["return result;"])
    w.call(f"{f}({x})")


def null(w, bad):
    """A search that finds nothing. (Allocation never fails, by the conventions of the field.)"""
    size = w.number(2, 4)
    f, g, t, x = w.name("find"), w.name("lookup"), w.name("entry"), w.input("int", 0, size if bad else size - 1)
    w.globals.append(f"struct {t} {{ int key; int value; }} all_{t}[{size}];")
    w.function(f"struct {t} *{f}(int key)", [f"for (int i = 0; i < {size}; i++)", f"  if (all_{t}[i].key == key)", f"    return &all_{t}[i];", "return 0;"])
    w.function(f"int {g}(int key)", [f"for (int i = 0; i < {size}; i++)", f"  all_{t}[i].key = i;", f"struct {t} *e = {f}(key);",
                                     *([] if bad or w.chance(0.5) else ["if (e == 0)", "  return -1;"]), w.pick("e->value++;", "e->value = key;"), "return e->value;"])
    w.call(f"{g}({x})")


def copy(w, bad):
    size = w.number(4, 9)
    a, make, end = storage(w, "char", size)
    f, n = w.name("copy"), w.input("int", 0, size + (w.number(1, 3) if bad else 0))
    w.globals.append(f"char {f}_from[{size + 4}];")
    act = w.pick([f"memcpy({a}, {f}_from, n);"], [f"memset({a}, 1, n);"], [f"memmove({a}, {f}_from + 1, n);"], [f"memcpy({f}_from, {a}, n);"])
    w.function(f"int {f}(int n)", make + act + [f"int result = {a}[0];"] + end + ["return result;"])
    w.call(f"{f}({n})")


def string(w, bad):
    size = w.number(4, 7)
    a, make, end = storage(w, "char", size)
    f, n = w.name("text"), w.input("int", 0, size if bad else size - 1)
    if w.chance(0.5):
        # As many letters as asked for, then an end if there is room: strlen may run past the array.
        lines = ["for (int i = 0; i < n; i++)", f"  {a}[i] = 'a';", f"if (n < {size})", f"  {a}[n] = 0;", f"int result = strlen({a});"]
    else:
        w.globals.append(f"char {f}_from[{size + 2}];")
        lines = ["for (int i = 0; i < n; i++)", f"  {f}_from[i] = 'b';", f"{f}_from[n] = 0;", f"strcpy({a}, {f}_from);", f"int result = {a}[0];"]
    w.function(f"int {f}(int n)", make + lines + end + ["return result;"])
    w.call(f"{f}({n})")


def output(w, bad):
    """What is printed or compared is read to its end."""
    size = w.number(3, 6)
    a, make, end = storage(w, "char", size)
    f, n = w.name("show"), w.input("int", 0, size if bad else size - 1)
    letters = ["for (int i = 0; i < n; i++)", f"  {a}[i] = 'c';"]
    act = w.pick(f"printf(\"%s\", {a});", f"puts({a});", f"printf(\"%.{size + 1}s\", {a});", f"fputs({a}, stdout);") if w.chance(0.7) else f"sink += memcmp({a}, \"ccccccc\", n + {int(bad)}) == 0;"
    w.function(f"int {f}(int n)", make + letters + [act, f"int result = {a}[0];"] + end + ["return result;"])
    w.call(f"{f}({n})")


def leak(w, bad):
    f, x, g = w.name("load"), w.input("int"), w.name("cache")
    how = w.number(0, 2)
    if how == 0:
        lines = ["int *p = malloc(8);", "*p = x;", "if (x > 9) {", *([] if bad else ["  free(p);"]), "  return -1;", "}", "int result = *p;", "free(p);", "return result;"]
    elif how == 1:
        lines = ["int *p = malloc(4);", "*p = x;", *(["if (x == 5)"] if bad else ["if (x == 5) {", "  free(p);"]), "  p = malloc(4);", *([] if bad else ["}"]), "*p = 2;", "int result = *p;", "free(p);", "return result;"]
    else:
        # What a global still points to at the end is not lost.
        w.globals.append(f"int *{g};")
        lines = [f"{g} = malloc(4);", f"*{g} = x;", f"int result = *{g};", *(["if (x & 1)", f"  {g} = 0;"] if bad else []), "return result;"]
    w.function(f"int {f}(int x)", lines)
    w.call(f"{f}({x})")


def chain(w, bad):
    """A list that is built, walked and taken down."""
    t, f = w.name("node"), w.name("list")
    n = w.input("int", 0, 3)
    mistake = w.pick("after free", "leak", "null") if bad else ""
    w.globals.append(f"struct {t} {{ int value; struct {t} *next; }};")
    lines = [f"struct {t} *head = 0;", "int total = 0;", "for (int i = 0; i < n; i++) {", f"  struct {t} *fresh = malloc(sizeof *fresh);", "  fresh->value = i;", "  fresh->next = head;", "  head = fresh;", "}"]
    if mistake == "null":
        lines += ["total += head->value;"]
    lines += [f"for (struct {t} *p = head; p; p = p->next)", "  total += p->value;"]
    if mistake == "after free":
        lines += ["while (head) {", "  free(head);", "  head = head->next;", "}"]
    else:
        lines += ["while (head" + (" && head->next" if mistake == "leak" else "") + ") {", f"  struct {t} *next = head->next;", "  free(head);", "  head = next;", "}"]
    w.function(f"int {f}(int n)", lines + ["return total;"])
    w.call(f"{f}({n})")


def small_object(w, bad):
    """A whole record is written or read where fewer bytes were allocated."""
    t, f, x = w.name("pair"), w.name("put"), w.input("int", 0, 5)
    w.globals.append(f"struct {t} {{ int a; int b; int c; }};")
    size = f"x > 2 ? {w.pick(4, 8)} : sizeof(struct {t})" if bad else f"x > 2 ? 16 : sizeof(struct {t})"
    lines = [f"struct {t} one = {{x, 2, 3}};", f"struct {t} *p = malloc({size});", w.pick("*p = one;", "p->c = x;"), "int result = one.a;", "free(p);", "return result;"]
    w.function(f"int {f}(int x)", lines)
    w.call(f"{f}({x})")


def grow(w, bad):
    """realloc, after which the old pointer is dead."""
    f, n = w.name("extend"), w.input("int", 1, 3)
    lines = ["int *p = malloc(n * sizeof(int));", "for (int i = 0; i < n; i++)", "  p[i] = i;", "int *q = realloc(p, (n + 2) * sizeof(int));", f"{'p' if bad else 'q'}[0] = 7;", "q[n + 1] = 1;", "int result = q[n - 1];", "free(q);", "return result;"]
    w.function(f"int {f}(int n)", lines)
    w.call(f"{f}({n})")


MEMORY = [index, index, fill, fill, after_free, after_return, after_scope, double_free, wrong_free, null, copy, copy, string, output, leak, leak, chain, small_object, grow]


def program(seed, properties=("no-overflow", "valid-memsafety")):
    w = Writer(seed)
    prop = w.pick(*properties)
    shapes = OVERFLOW if prop == "no-overflow" else MEMORY
    chosen = [w.pick(*shapes) for _ in range(w.number(1, 3))]
    wrong = w.number(0, len(chosen) - 1) if w.chance(2 / 3) else None
    for number, shape in enumerate(chosen):
        shape(w, number == wrong)
    planted = chosen[wrong].__name__ if wrong is not None else None
    title = f"seed {seed}, {prop}, {'planted: ' + planted if planted else 'no mistake planted'} (" + ", ".join(shape.__name__ for shape in chosen) + ")"
    return Program(seed, prop, planted, w.text(title))
