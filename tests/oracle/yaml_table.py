"""Makes tests/data/yaml/table.json: what both Hermes versions' loaders make of scalars and structures.

usage: yaml_table.py PYTHON_OF_0_19 PYTHON_OF_0_22 > tests/data/yaml/table.json
"""

import json
import pathlib
import subprocess
import sys

SCALARS = r"""
on|off|yes|no|On|OFF|Yes|NO|y|n|Y|N|yEs|true|True|TRUE|false|tRue|null|Null|NULL|nULL|~|none|None
0|-0|+0|1|+1|-1|007|017|-017|08|09|0o17|0O17|0x1F|-0x1F|0X1F|0x_1F|0x|0x_|0b101|0b|0b_1|1_000|1__0|1_|_1|+_|-_|0_7|0_8
99999999999999999999999999999999|0xffffffffffffffffffffffff|12306|12:30:45|1:30|1:60|0:30|-1:30|190:20:30|190:20:30.15
1__0:30.5|0:30.5|1:30.|685_230.15|1.0|1.|.5|+.5|-.5|._|._5|.5_0|1e3|1E5|1e+3|1e-3|1e|1.0e3|1.0e+3|1.5E-7|.5e3|.5e+3|5.e3|1_0e3
9.0e+400|1e16|1.0e16|123456789012345678.5|1.0e-5|0.0001|.inf|-.inf|+.inf|.Inf|.iNF|.nan|.NaN|-.nan|1.2.3|1-2|1,000
2024-01-01|2024-1-1|2024-13-01|2024-02-30|2023-02-29|0000-01-01|2024-01-01T10:00:00|2024-01-01t10:00:00Z|2024-01-01 10:00:00
2001-12-14 21:59:43.10 -5|2001-12-14t21:59:43.10-05:00|2001-12-14 21:59:43.1234567|2001-12-31 23:59:59.9999999|2001-12-14 25:00:00
2001-12-14 1:02:03|2001-12-14 1:2:03|2001-12-14 10:00:00 +5:30|2001-12-14 10:00:00 +25:00|2001-12-14 10:00:00-00:00|2024-01-01T|2024-01-01 10:00
=|<<|"="|"<<"|'on'|"017"|- x|-x|--|---|...|?x|? x|:x|a:b|a: b|a #b|a#b|a:|http://x:80/y|it's|(>w<) there|a\|b|x > y|@a|`a|%a|!|! 12|!foo x
!!str 5|!!str on|!!str|!!int '5'|!!int x|!!int 0o17|!!float 5|!!float x|!!bool YES|!!bool x|!!bool y|!!null x|!!timestamp 2024-01-01
!!binary aGk=|!!map|!!seq x|!!set {a, b}|!!omap [x: 1]|!!pairs [x: 1, x: 2]|!!python/name:os.system x|!<tag:yaml.org,2002:str> 5
[]|{}|[a, b]|[a, b,]|[a, , b]|{,}|{a}|{a, b: 1}|[a: b, c]|[ ]|[on, 017]|{a: b, a: c}|{1: a, true: b}|{1: a, 1.0: b}|{on: a, yes: b}|{y: a, true: b}|{[a]: b}
{? a : b}|["a","b"]|{"a":1}|['a']|[=]|{=: a}|[<<]|{url: http://h}|[http://h]|'it''s'|"a\tb"|"\U0001F4A5"|"\x41\u00e9"|"a\qb"|'abc|"abc|[a|{a: b|[a]b|"x"y|'b':c
*u|&a|&a x|*a b|🐍|é|"\"|'\'|"a\/b"|"\e\0\a"|"a b"#c|'a' #c|[a]#c|[a] #c|a	#b|	5|a	b|"a	b"
""".strip("\n")

STRUCTURES = [
    "", "\n", "# only a comment\n", "---\n", "--- {}\n", "--- a\n", "...\n", "~\n", "false\n", "text\n", "- a\n- b\n", "[]\n",
    "a: 1\na: 2\n", "a: 1\n---\nb: 2\n", "a: 1\n...\n", "a: 1\n...\nb: 2\n", "---\na: 1\n---\n", "\ufeffa: 1\n", "\ufeff# c\na: 1\n",
    "a: 1\r\nb:\r\n  - x\r\n", "a: 1\rb: 2\r", "a: 1", "a:\n- b\n- c\n", "a:\n  - b\n - c\n", "  a: 1\n b: 2\n", "a: b\n c: d\n",
    "a:\n\tb: 1\n", "a: 1\n\tb: 2\n", "a:\n\t- b\n", "\ta: 1\n", "a: b\t\n", "a: b \t# c\n", "a: b\n\t# c\nd: e\n", "a: [b,\t# c\n c]\n",
    "a: [b,\nc]\n", "a: [b,\n c\n]\n", "a: {b: 1,\n  c: 2}\n", "a: |\n  x\n\ty\n", "a: |\n  x\n  y", "a: |+\n  x\n\n", "a: |+\n  x",
    "a: |-\n  x\n\nb: 1\n", "a: |\n  x\n# c\nb: 1\n", "a: >\n  x\n  y\n\n  z\n", "a: >-\n  x", "a: |2\n   x\n", "a: | # c\n  x\n",
    "a: |\n\n\n  x\n", "a: |\nb: 1\n", "a: \"b\n  c\"\n", "a: \"b\n\n  c\"\n", "a: 'b\n  c'\n", "a: b\n  c\n", "a: b\nc\n",
    "a: &x {b: 1}\nc: {<<: *x, d: 2}\n", "a: &x {b: 1}\nc: {d: 2, <<: *x, b: 3}\n", "a: &x {b: 1, c: 2}\nd: &y {b: 3, e: 4}\nf: {<<: [*x, *y], g: 5}\n",
    "a: {<<: {b: 1}, <<: {c: 1}}\n", "a: {<<: x}\n", "a: {<<: [x]}\n", "a: {\"<<\": {b: 1}}\n", "a: &x {b: 1, b: 2}\n", "a: {<<: {b: 1}, c: 1, c: 2}\n",
    "a: &x 1\nb: &x 2\nc: *x\n", "a: *b\nb: &b 1\n", "a: &b\n  c: 1\nd: *b\n", "&a a: b\n*a : c\n", "a: &n\nb: *n\n", "a: &n !!str\nb: *n\n",
    "? a\n: b\n", "? a\n", "? [a, b]\n: c\n", "? {a: b}\n: c\n", "? - a\n: b\n", "? |\n  a\n: b\n", ": x\n", "a: - b\n", "- - a\n  - b\n- c\n", "- a: 1\n  b: 2\n-\n",
    "a:\n  - x # y\n  -\n  - z\n", "a: # c\n  b: 1\n", "a:\n  # c\n  b: 1\n", "'a': 1\n\"b\": 2\n", "12306: a\n1.5: b\ntrue: c\n~: d\n2024-01-01: e\n",
    "%YAML 1.1\n---\na: on\n", "%YAML 1.2\n---\na: on\n", "%TAG ! tag:yaml.org,2002:\n---\na: !str 5\n", "a: 1 #x\u2028b: 2\n", "a: b\u2028c: d\n", "a: 1\u0085b: 2\n", "a: 'x\u2028y'\n",
    "a: \"x\u0085y\"\n", "a: \u0001\n", "a: \u007f\n", "a: x\ufeffy\n", "a: \u00a0b\n", "a: !foo {b: 1}\n", "a: !!set\n  ? x\n  ? z\n", "a:\n  !!map\n  b: 1\n",
    "a: &x\n  - 1\nb: *x\nc:\n  - *x\n", "a: {b: [c, {d: e}], f: }\n", "key with spaces: 1\n", "a: b: c\n", "- a\nb: c\n", "a:\n  b: 1\n  - c\n", "a: 1\n  b: 2\n",
    "a: [b, c # d\n  , e]\n", "a: [ # d\n  b\n  ]\n", "a: {\n  b: 1, # x\n  c: 2\n}\n", "a: x # not\n# c\n\n\n", "#a\n  #b\na: 1\n", "a:  1\nb:   [ x ]\n",
    # What one loader takes and another does not, and what looks broken and is not.
    "a:\n- [web,\nfile]\n", "a:\n- [web]\nb: 1\n", "agent:\n  system_prompt: \"You are\nhelpful.\"\n", "a: 'b\nc'\nd: 1\n", "cli: [web,\n\tno_mcp]\n",
    "cli: [web\n\t, x]\n", "cli: [\n\tweb\n\t]\n", "a: {b: c\n\td}\n", 'x: "\\ud83d\\ude00"\n', 'x: "a\\\\ud83d"\n', 'x: "\\U0011ffff"\n', 'x: "\\x4"\n', "x: \"a\\'b\"\n",
    "p: {cli: [web]}\nargs: [pip, >=2.0]\n", "a: [b, |c]\n", "a: {b: |\n  c}\n", "a: [>]\n", "a: [b, %c]\n", "a: [@b]\n", "...\na: 1\n", "...\n...\na: 1\n", "# c\n...\n",
    "m: {a: 1,\n  b\n  c: 2}\n", "m: {a: 1\n  b: 2}\n", "m: [a\n  b: 2]\n", "a: [a?b, c? d]\n", "a: [?b]\n", "a: [? b]\n", "a: [? ]\n", "a: [? , b]\n", "a: {a:, b: 2}\n",
    "a: {a:b}\n", "a: {a:, }\n", "a: [a:]\n", "a: [:b]\n", "a: {:b}\n", "a: {: b}\n", "a: [a:[b]]\n", "a: [{url: http://h}]\nb: |\n  text\n\nc: >\n  fold\n  ed\n", "a: [x:y]\nb: \"c\n\n  d\"\n",
    "a: [x:y]\nb: c\n  d\n\n  e\n", "a: [x:y]\nb: c\td\n", "a: [x:y]\nb: !!str c\n", "a: [x:y]\nb: &e c\nd: *e\n", "a: [x:y]\n? b\n: c\n", "a: [x:y]\nb: |2\n    c\n", "a: [x:y]\nb: |+\n  c\n\n\n",
    "a: [x:y]\nb: |\n\n   c\n  d\n", "a: [x:y]\nb: |#c\n  d\n", "a: [x:y]\nb:\t# c\n", "a: [x:y]\nb: 'it''s\n  so'\n", "a: [x:y]\nb: \"c\\\n  d\"\n", "a: [x:y]\nb: >-\n  c\n\n   d\n\n  e\n",
    "--- |\ntext\nmore\n", "--- >\ntext\n", "--- a: 1\n", "--- [a]\n", "a: !!str, b\n", "a: [!!str, b]\n", "a: [!!str b]\n", "a: !!str\tb\n", "a: &x, b\n", "a: [&x, b]\n", "a: &x:y b\n", "a: *x:y\n", "a: &\u00e9 b\n",
    "a: !<b\n", "a: !<tag:yaml.org,2002:str> b\n", "a: !%41 b\n", "a: !!%73tr 5\n", "%FOO bar\n---\na: 1\n", "%YAML 1.3\n---\na: 1\n", "%YAML 2.0\n---\na: 1\n", "%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 5\n", "a: !e!str 5\n",
    "%YAML 1.1\n%YAML 1.1\n---\na: 1\n", "%YAML 1.1\na: 1\n", "-\ta\n", "- \ta\n", "-\t- a\n", "?\ta\n", "a:\tb\n", "a:\t- b\n", "a:\n  - b\n\t- c\n", "a: |\n \tb\n", "a: |\n\t\n  b\n", "a: b\n\tc\n", "a: \"b\n\tc\"\n",
    "a: |0\n", "a: |+1-\n", "a: |x\n", "a: |- # c\n  b\n", "a: |1\n  b\n", "a: |\n    b\n  c\n", "a: |\n   \n  b\n", "- |\n a\n- >\n b\n  c\n d\n", "a: >\n\n  b\n\n\n  c\n", "a: |\n  b\n...\n", "a: b\n---x\n", "a: 'b\n---\nc'\n",
    "a\n", "a\nb: 1\n", "a: 1\nb\n", "a: 1\nb\nc: 2\n", "[a]: b\n", "{a: b}: c\n", "[a\n]: b\n", "\"a\nb\": c\n", "x" * 1025 + ": 1\n", "x" * 1024 + ": 1\n", "{" + "x" * 1025 + ": 1}\n", "? " + "x" * 1025 + "\n: 1\n",
    "a: ]\n", "]\n", "a: [b]]\n", "a: [b}\n", "a: {b]\n", ",\n", "a: ,b\n", "a: b,c\n", "- - -\n", "- ? a\n  : b\n", "a: - b\n", "a: ? b\n", "a: &x &y b\n", "a: !!str !!str b\n", "a: &x *x\n", "a: &x [*x]\n", "a: !!str &x b\nc: *x\n",
    "a: 1\n\ufeffb: 2\n", "\ufeff\ufeffa: 1\n", "a: b\u2028  c\n", "a: |\n  b\u2028  c\n", "a: \"b\u2028\n c\"\n", "a: [b,\u2029c]\n", "a: b\r\n  c\r\n\r\n  d\r\n", "a: |\r\n  b\r\n\r\nc: 1\r\n",
    # `---` above what ruamel.yaml's C parser refuses: its own parser goes on by YAML 1.2.
    "---\na: [x:y]\nb: [on, yes, y, true, 017, 08, 0o17, 1:30, 1_000, 0b11, 0x1F, +_1, 12:30:45, 2024-01-01]\n", "---\na: [x:y]\nb: [.5, +.5, 1e3, 1.5e+3, .5e3, .5e+3, 1:30.5, -.inf, .nan, ~, null]\n", "---\na: [x:y]\non: 1\ntrue: 2\n",
    "%YAML 1.1\n---\na: [x:y]\nb: [on, 017]\n", "%YAML 1.2\n---\na: [x:y]\nb: [on, 017]\n", "%YAML 1.2\n---\na: [x, y]\nb: [on, 017]\n", "---\na: [x:y]\nb: !!bool yes\nc: !!int 017\n", "---\na: [x:y]\nb: !!int 1:30\n", "---\na: [x:y]\nb: _1\nc: -_\n",
    "---\na: [b?c, d? e]\n", "---\na: [:b, x:y]\n", "---\na: {b::c, d: x:y}\n", "---\na: {b: :c}\n", "---\na: {:b, x:y}\n", "---\na: {: b, c: x:y}\n", "---\na: [x:y]\nb:\n  : c\n", "---\na: [x:y]\nb: !!str#c d\n", "---\na: [\"b\":c, x:y]\n", "---\na: [x:y, ?b]\n", "---\n\"a\":[x:y]\n",
    "a: &x 1\nb:\t&x [2]\n", "a: [x:y]\nb: !\nc: ! \nd: ! 12\ne: ! \"12\"\n", "---\na: [x:y]\nb: = c\nc: <<d\n", "--- # on\na: [x:y]\nb: off\n...\n",
]


def answers(python, texts):
    oracle = pathlib.Path(__file__).with_name("yaml_load.py")
    # -I -S would hide the installed package; the folder of the interpreter decides what is imported.
    done = subprocess.run([python, str(oracle)], input=json.dumps(texts), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main():
    scalars = [s for line in SCALARS.split("\n") for s in line.replace(r"\|", "\0").split("|")]
    texts = ["k: " + s.replace("\0", "|") + "\n" for s in scalars] + STRUCTURES
    old, new = (answers(python, texts) for python in sys.argv[1:3])
    assert (old["dialect"], new["dialect"]) == ("pyyaml", "ruamel"), "interpreters in the wrong order"
    rows = [{"text": t, "pyyaml": a, "ruamel": b} for t, a, b in zip(texts, old["answers"], new["answers"])]
    print("[\n" + ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows) + "\n]")


if __name__ == "__main__":
    main()
