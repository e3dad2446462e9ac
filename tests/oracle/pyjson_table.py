"""Writes tests/data/pyjson/table.json: what CPython's json module makes of each text.

Run with any CPython 3.11 or later: python3 tests/oracle/pyjson_table.py > tests/data/pyjson/table.json
Each row is [text, default separators, compact separators]; null where json.loads raises or UTF-8 cannot hold the result.
"""

import json
import random
import struct
import sys

HAND = """
null|true|false|NaN|Infinity|-Infinity|0|-0|1|-1|0.0|-0.0|-0e5|1.0|1.10|1E+2|1e2|1e15|1e16|1e17|123456789012345678.0|1e21|1e22|1e23
0.1|0.0001|0.00001|1e-4|1e-5|1e-7|1.5e-7|12345e-10|5e-324|2.2250738585072014e-308|1.7976931348623157e308|1e308|1e309|1e400|-1e400|1e-400
9007199254740993.0|9007199254740993|1228706775877689.3|9223372036854775807|9223372036854775808|18446744073709551616
123456789012345678901234567890|-123456789012345678901234567890|100000000000000000000.5|4.35|0.3|2.675|1234567890123456.7|9999999999999998.0
01|1.|.5|+1|-|--1|1e|1e+|0x10|1_000|1.e5|00|-01|1.5.5|Nan|nul|nulll|-NaN|tru|infinity
"a"|"\\u0041"|"\\/"|"\\b\\f\\n\\r\\t\\"\\\\"|"\\u0000\\u001f\\u007f\\u0085"|"\\u2028\\u2029\\ufeff"|"\\ud83d\\ude00"|"\\ud83d"|"\\ude00"|"\\ud83dx"
"\\ud83d\\u0041"|"\\uD83D\\uDE00"|"\\u00e9"|"\\x41"|"\\u12"|"\\u12g4"|"\\u+123"|"unclosed|"a\\|"|'a'
[]|{}|[ ]|{ }|[1,2]|[1 , 2]|[1,]|[,1]|[1 2]|[|]|{"a":1}|{"a" : 1 , "b":2}|{"a":1,}|{,}|{a:1}|{"a"}|{"a":}|{"a":1 "b":2}|{1:2}|[}|{]|{"a":1]
{"a":1,"a":2}|{"a":1,"b":2,"a":3}|{"a":{"x":1,"x":2},"a":{"y":[1,{"z":0,"z":1}],"y":2}}|{"":1,"":2}|{"\\u0061":1,"a":2}|{"b":1,"a":2,"b":{"c":3}}|[{"a":1,"a":2},{"a":1}]
{"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"k10":10,"k11":11,"k12":12,"k13":13,"k3":"again"}
1 2|[] []|"a" "b"|nullnull|{}x
"""


def results(text):
    try:
        value = json.loads(text)
        forms = (json.dumps(value, ensure_ascii=False), json.dumps(value, ensure_ascii=False, separators=(",", ":")))
        for form in forms:
            form.encode("utf-8")
        return list(forms)
    except (ValueError, RecursionError):
        return [None, None]


def random_string(rng):
    pools = ["abc xyz", "\"\\/\b\f\n\r\t", "\x00\x01\x1f\x7f\x85", "éßñ", "日本語", "😀👩‍👧🏴", "\u2028\u2029\ufeff\u200b"]
    text = "".join(rng.choice(rng.choice(pools)) for _ in range(rng.randrange(12)))
    return json.dumps(text, ensure_ascii=rng.random() < 0.4)


def random_number(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return str(rng.randrange(-10, 1000))
    if kind == 1:
        return str(rng.randrange(-(10**30), 10**30))
    if kind == 2:
        return repr(struct.unpack("<d", rng.randbytes(8))[0]).replace("nan", "NaN").replace("inf", "Infinity")
    if kind == 3:
        return f"{rng.uniform(-1000, 1000):.{rng.randrange(1, 20)}f}"
    if kind == 4:
        return f"{rng.randrange(10**16)}.{rng.randrange(10)}"
    return f"{rng.randrange(1, 10**rng.randrange(1, 18))}e{rng.choice(['', '+', '-'])}{rng.randrange(0, 40)}"


def random_value(rng, depth):
    kind = rng.randrange(8 if depth else 4)
    blank = lambda: rng.choice(["", "", " ", "\n\t"])
    if kind == 0:
        return rng.choice(["null", "true", "false"])
    if kind in (1, 2):
        return random_number(rng)
    if kind == 3:
        return random_string(rng)
    items = [random_value(rng, depth - 1) for _ in range(rng.randrange(5))]
    if kind < 6:
        return "[" + blank() + ("," + blank()).join(items) + blank() + "]"
    keys = [rng.choice(['"a"', '"b"', '"\\u0061"', random_string(rng)]) for _ in items]
    return "{" + blank() + ",".join(f"{blank()}{key}{blank()}:{blank()}{item}" for key, item in zip(keys, items)) + "}"


def main():
    rng = random.Random(20261201)
    texts = [text for line in HAND.strip().splitlines() for text in line.split("|")]
    texts += ["", " ", "\ufeff1", "\t[\r\n1 ]\n", "\x0b1", "\u00a01", '"\x01"', '"\x7f"', '"a\nb"', '"\u2028"', "[" * 200 + "]" * 200]
    texts += [random_number(rng) for _ in range(600)]
    texts += [random_value(rng, 4) for _ in range(500)]
    texts += ["9" * 4300, "9" * 4301, "-" + "9" * 4300, "9" * 5000 + ".0", "0." + "1" * 5000]
    rows = [json.dumps([text, *results(text)]) for text in texts]
    sys.stdout.write("[\n" + ",\n".join(rows) + "\n]\n")


main()
