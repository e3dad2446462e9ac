"""Loads YAML texts with the loader the installed Hermes uses for config.yaml, and prints what it sees as JSON.

stdin:  a JSON list of texts. stdout: a JSON list, one encoded value or {"error": ...} each.
Run with a Hermes' own Python. An encoded value is [kind, payload]: null, bool, int, float, str, time, seq, map.
"""

import datetime
import io
import json
import sys
import warnings

warnings.simplefilter("ignore")


def loader():
    try:
        from hermes_yaml import safe_load  # 0.22
        return "ruamel", safe_load
    except ImportError:
        from utils import fast_safe_load  # 0.19
        return "pyyaml", fast_safe_load


def encode(value, depth=0):
    if depth > 600:
        raise RecursionError("deep")
    if value is None:
        return ["null", ""]
    if value is True or value is False:
        return ["bool", str(value)]
    if isinstance(value, int):
        return ["int", str(value)]
    if isinstance(value, float):
        return ["float", repr(value)]
    if isinstance(value, str):
        # Python keeps surrogates apart; the pair is the character, and half a pair is none.
        return ["str", value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")]
    if isinstance(value, (datetime.date, datetime.datetime)):
        return ["time", str(value)]
    if isinstance(value, (list, tuple)):
        return ["seq", [encode(item, depth + 1) for item in value]]
    if isinstance(value, dict):
        return ["map", [[encode(key, depth + 1), encode(item, depth + 1)] for key, item in value.items()]]
    if isinstance(value, (set, frozenset)):
        # A set has no order of its own; ours keeps the file's.
        return ["map", sorted([encode(item, depth + 1), ["null", ""]] for item in value)]
    if isinstance(value, bytes):
        import base64
        return ["str", base64.b64encode(value).decode()]
    raise TypeError(type(value).__name__)


def read(load, text, dialect):
    # Hermes opens the file in text mode: 0.22 takes a byte order mark off, both normalise line ends.
    encoding = "utf-8-sig" if dialect == "ruamel" else "utf-8"
    try:
        stream = io.TextIOWrapper(io.BytesIO(text.encode("utf-8")), encoding=encoding)
        value = load(stream)
        if value is None:
            value = {}
        return {"value": encode(value)}
    except Exception as error:  # noqa: BLE001: whatever stops Hermes counts
        return {"error": type(error).__name__}


def main():
    sys.setrecursionlimit(5000) if "--deep" in sys.argv else None
    dialect, load = loader()
    texts = json.load(sys.stdin)
    json.dump({"dialect": dialect, "answers": [read(load, text, dialect) for text in texts]}, sys.stdout)


if __name__ == "__main__":
    main()
