//! Servers nobody would write and some that people did: schemas with every keyword in every position, valid or not.
//! The same seed gives the same server.

use hermes_tools::engine::schema::RawTool;

/// A server's name and its tools.
pub(super) fn server(seed: u64, tools: usize) -> (String, Vec<RawTool>) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let server =
        format!("{}{seed}", dice.one(&["gh", "my-server", "ü.x", "a b", "plugin_portable_server_with_a_long_name_"]));
    let tools = (0..tools).map(|_| tool(&mut dice));
    (server, tools.collect())
}

fn tool(dice: &mut Dice) -> RawTool {
    let names = ["find", "a-b", "a.b", "a_b", "list/all", "größe", "x", "read_resource"];
    let mut name = dice.one(&names).to_owned();
    if dice.chance(8) {
        name.push_str(&"_long".repeat(dice.below(16)));
    }
    if !dice.chance(3) {
        name.push_str(&dice.below(1_000).to_string());
    }
    let told = [
        "",
        "Told.",
        "Zwei\nZeilen \"x\" \\",
        "a\u{e0041}b",
        "\u{1f3f4}\u{e0067}\u{e007f}x\u{e0001}",
        "\u{7f}\u{2028}é😀",
    ];
    let description = dice.one(&told).to_owned();
    let mut input_schema = String::new();
    if dice.chance(30) {
        input_schema.push_str("{}");
    } else {
        schema(dice, 5, &mut input_schema);
    }
    RawTool { name, description, input_schema }
}

const KEYWORDS: [&str; 47] = [
    "type",
    "type",
    "type",
    "type",
    "properties",
    "properties",
    "properties",
    "properties",
    "required",
    "required",
    "required",
    "items",
    "items",
    "anyOf",
    "anyOf",
    "anyOf",
    "oneOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "$ref",
    "$ref",
    "$defs",
    "definitions",
    "definitions",
    "patternProperties",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "additionalProperties",
    "additionalItems",
    "prefixItems",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
    "enum",
    "const",
    "default",
    "default",
    "examples",
    "title",
    "description",
    "nullable",
    "x-meta",
];

/// An object in a schema's position. Keys may repeat.
fn schema(dice: &mut Dice, depth: usize, out: &mut String) {
    let members = if depth == 0 { dice.below(3) } else { 1 + dice.below(6) };
    object(dice, members, out, |dice, out| {
        let key = dice.one(&KEYWORDS);
        text(key, out);
        out.push_str(dice.one(&[":", ": ", " : "]));
        keyword(dice, key, depth.saturating_sub(1), out);
    });
}

fn keyword(dice: &mut Dice, key: &str, depth: usize, out: &mut String) {
    // Now and then something that does not belong.
    if dice.chance(12) {
        return anything(dice, depth.min(2), out);
    }
    match key {
        "type" => kind(dice, out),
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies" => {
            named(dice, depth, out);
        }
        "required" => match dice.below(6) {
            0 => out.push_str(dice.one(&["true", "false"])),
            _ => list(dice, 3, out, property),
        },
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
            let branches = dice.below(4);
            list(dice, branches, out, |dice, out| branch(dice, depth, out));
        }
        "dependentRequired" => object(dice, 2, out, |dice, out| {
            property(dice, out);
            out.push(':');
            list(dice, 2, out, property);
        }),
        "$ref" => {
            text(dice.one(&["#/definitions/T", "#/$defs/T", "#/definitions/a\"b", "http://x.invalid/y", "#"]), out)
        }
        "enum" | "examples" => list(dice, 3, out, scalar),
        "title" | "description" => text(dice.one(&["A", "é \"quoted\"", ""]), out),
        "nullable" => out.push_str(dice.one(&["true", "false", "null"])),
        "const" | "default" | "x-meta" => anything(dice, depth.min(2), out),
        _ => branch(dice, depth, out),
    }
}

fn kind(dice: &mut Dice, out: &mut String) {
    let kinds = ["object", "object", "object", "string", "number", "integer", "boolean", "array", "null", "file"];
    match dice.below(5) {
        0 => {
            let length = dice.below(4);
            list(
                dice,
                length,
                out,
                |dice, out| {
                    if dice.chance(10) { scalar(dice, out) } else { text(dice.one(&kinds), out) }
                },
            );
        }
        1 if dice.chance(3) => scalar(dice, out),
        _ => text(dice.one(&kinds), out),
    }
}

/// Something where a schema belongs: mostly one, else a word, a list, null, a boolean.
fn branch(dice: &mut Dice, depth: usize, out: &mut String) {
    match dice.below(14) {
        0 | 1 => out.push_str("{\"type\": \"null\"}"),
        2 | 3 => {
            out.push_str("{\"const\": ");
            scalar(dice, out);
            out.push_str(dice.one(&[
                "}",
                ", \"title\": \"t\"}",
                ", \"type\": \"string\"}",
                ", \"type\": null}",
                ", \"x\": 1}",
            ]));
        }
        4 => text(dice.one(&["object", "string", "null", "no type", ""]), out),
        5 => out.push_str(dice.one(&["true", "false", "null", "{}", "[]"])),
        6 => list(dice, 2, out, |dice, out| anything(dice, 1, out)),
        7 => {
            out.push_str("{\"required\": ");
            list(dice, 2, out, property);
            out.push('}');
        }
        _ => schema(dice, depth, out),
    }
}

/// A map from names to schemas, with names that are keywords, refused by providers, or clash once they are rewritten.
fn named(dice: &mut Dice, depth: usize, out: &mut String) {
    let members = dice.below(5);
    object(dice, members, out, |dice, out| {
        property(dice, out);
        out.push_str(": ");
        branch(dice, depth, out);
    });
}

fn property(dice: &mut Dice, out: &mut String) {
    let long = "k".repeat(70);
    let names = [
        "a",
        "b",
        "a b",
        "a_b",
        "a/b",
        "$x",
        "_x",
        "ä",
        "",
        "a\n",
        "\n",
        "a\\n",
        "type",
        "required",
        "properties",
        "definitions",
        "$ref",
        "default",
        "anyOf",
        "_x_2",
        "😀",
        "x.y-z",
        &long,
        &long[1..],
        "a\u{0}",
        "enum",
    ];
    if dice.chance(40) { scalar_text(dice, out) } else { text(dice.one(&names), out) }
}

fn scalar_text(dice: &mut Dice, out: &mut String) {
    out.push_str(dice.one(&["\"\\u0061\"", "\"\\u00e4\"", "\"\\/\"", "\"a\\u0020b\""]));
}

fn anything(dice: &mut Dice, depth: usize, out: &mut String) {
    match dice.below(if depth == 0 { 5 } else { 8 }) {
        5 => list(dice, 3, out, |dice, out| anything(dice, depth - 1, out)),
        6 => schema(dice, depth - 1, out),
        7 => named(dice, depth - 1, out),
        _ => scalar(dice, out),
    }
}

fn scalar(dice: &mut Dice, out: &mut String) {
    out.push_str(dice.one(&[
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "0.0",
        "1",
        "1.0",
        "1e-7",
        "1.50",
        "1E+2",
        "1e400",
        "-1e16",
        "NaN",
        "Infinity",
        "-Infinity",
        "123456789012345678901234567890",
        "\"\"",
        "\"path\"",
        "\"string\"",
        "\"object\"",
        "\"null\"",
        "\"é\\u00e9\\n\\/\"",
        "\"\\ud83d\\ude00\"",
        "[]",
        "{}",
    ]));
}

fn list(dice: &mut Dice, longest: usize, out: &mut String, mut item: impl FnMut(&mut Dice, &mut String)) {
    out.push('[');
    for idx in 0..dice.below(longest + 1) {
        out.push_str(if idx > 0 { "," } else { "" });
        item(dice, out);
    }
    out.push(']');
}

fn object(dice: &mut Dice, members: usize, out: &mut String, mut member: impl FnMut(&mut Dice, &mut String)) {
    out.push('{');
    for idx in 0..members {
        out.push_str(if idx > 0 { ", " } else { "" });
        member(dice, out);
    }
    out.push('}');
}

fn text(text: &str, out: &mut String) {
    out.push_str(&serde_json::to_string(text).unwrap());
}

/// Xorshift: small, fast, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides.max(1)
    }

    /// True once in so many times.
    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}
