"""The data races in what ThreadSanitizer prints.

What differs by design, and is reported apart:
- an access inside a library function (`memset`, `printf`, and above all `free`, which C17 7.22.3 lets modify what it deallocates), which Raddle may count at another place or not at all;
- a volatile variable: ThreadSanitizer takes it for an ordinary one, as C11 does, while some collections take volatile accesses for atomic.
"""
import collections, re

Race = collections.namedtuple("Race", "first second location")


def races(words):
    """The data races of the reports."""
    found = []
    for report in re.split(r"^={10,}$", words, flags=re.M):
        if "ThreadSanitizer: data race" not in report:
            continue
        tops = re.findall(r"^ {2}\S.*(?:of size|by).*:\n {4}#0 (\S+) (\S+)", report, flags=re.M)
        places = [f"{function} {place.split('/')[-1]}" for function, place in tops[:2]] + ["?", "?"]
        location = re.search(r"Location is (.*?) (?:of size|at|allocated)", report)
        found.append(Race(places[0], places[1], location.group(1) if location else "?"))
    return found


def difference(race, text):
    """Why a race is not counted against Raddle; empty if it is."""
    if any("libsanitizer" in place or "interceptors" in place or place.startswith(("?", "<null>")) for place in race[:2]):
        return "library"
    name = re.match(r"global '(\w+)", race.location)
    if name and re.search(rf"\bvolatile\b[^;{{}}()]*\b{name.group(1)}\b", text):
        return "volatile"
    return ""
