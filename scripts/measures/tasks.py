"""The tasks of an index that have threads."""
import collections, csv, os, random, re

Task = collections.namedtuple("Task", "name path data_model property verdict")


def with_threads(args, properties=("unreach-call", "no-data-race")):
    """All of them, or --count in an order that --seed decides."""
    root = os.path.dirname(os.path.abspath(args.tasks))
    with open(args.tasks) as index:
        rows = [row for row in csv.DictReader(index, delimiter="\t")
                if row["property"] in properties and row["category"].startswith(("Concurrency", "NoDataRace")) and re.search(args.filter, row["file"])]
    tasks = [Task(row["file"], os.path.join(root, row["file"]), row["data_model"], row["property"], row["verdict"]) for row in rows]
    if args.count is not None:
        random.Random(args.seed).shuffle(tasks)
    return tasks


def property_file(args, name):
    """The property as a file beside the index, which means exactly what it says; else its name."""
    path = os.path.join(os.path.dirname(os.path.abspath(args.tasks)), "properties", name + ".prp")
    return path if os.path.exists(path) else name
