// SPDX-License-Identifier: Apache-2.0
// Encoders of Rust, for encoders.py, which says what is printed.
use serde::de::{
    Deserialize, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::{Deserialize as DeserializeRecord, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

type Written = Result<Vec<u8>, String>;

#[derive(Serialize, DeserializeRecord, Clone)]
struct Record {
    id: i32,
    name: String,
    ratio: f64,
}
#[derive(Serialize)]
struct Lists {
    list: Vec<i32>,
}
#[derive(minicbor::Encode, Clone)]
struct ArrayRecord {
    #[n(0)]
    id: i32,
    #[n(1)]
    name: String,
    #[n(2)]
    ratio: f64,
}

// A value of any type, read through serde, as JSON of encoders.py.
struct Told(String);

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c)
            }
            c if (c as u32) < 0x20 => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
fn integer(value: impl std::fmt::Display) -> String {
    format!("{{\"i\":\"{value}\"}}")
}
fn real(value: f64) -> String {
    format!("{{\"f\":\"{:016x}\"}}", value.to_bits())
}
fn text(value: &str) -> String {
    format!("{{\"t\":{}}}", quoted(value))
}
fn binary(value: &[u8]) -> String {
    format!("{{\"b\":\"{}\"}}", hex(value))
}
fn array(items: &[String]) -> String {
    format!("{{\"a\":[{}]}}", items.join(","))
}
fn object(members: &[(String, String)]) -> String {
    let pairs: Vec<_> = members
        .iter()
        .map(|(key, item)| format!("[{key},{item}]"))
        .collect();
    format!("{{\"m\":[{}]}}", pairs.join(","))
}

struct Any;
impl<'de> Visitor<'de> for Any {
    type Value = Told;
    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a value")
    }
    fn visit_bool<E>(self, v: bool) -> Result<Told, E> {
        Ok(Told(v.to_string()))
    }
    fn visit_i64<E>(self, v: i64) -> Result<Told, E> {
        Ok(Told(integer(v)))
    }
    fn visit_u64<E>(self, v: u64) -> Result<Told, E> {
        Ok(Told(integer(v)))
    }
    fn visit_i128<E>(self, v: i128) -> Result<Told, E> {
        Ok(Told(integer(v)))
    }
    fn visit_u128<E>(self, v: u128) -> Result<Told, E> {
        Ok(Told(integer(v)))
    }
    fn visit_f64<E>(self, v: f64) -> Result<Told, E> {
        Ok(Told(real(v)))
    }
    fn visit_str<E>(self, v: &str) -> Result<Told, E> {
        Ok(Told(text(v)))
    }
    fn visit_bytes<E>(self, v: &[u8]) -> Result<Told, E> {
        Ok(Told(binary(v)))
    }
    fn visit_unit<E>(self) -> Result<Told, E> {
        Ok(Told("null".into()))
    }
    fn visit_none<E>(self) -> Result<Told, E> {
        Ok(Told("null".into()))
    }
    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<Told, D::Error> {
        d.deserialize_any(Any)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, d: D) -> Result<Told, D::Error> {
        let inner = d.deserialize_any(Any)?.0;
        Ok(Told(format!("{{\"newtype\":{inner}}}")))
    }
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Told, A::Error> {
        // How ciborium hands over a tag and what is behind it.
        let (_, inner) = access.variant::<Told>()?;
        let pair = inner
            .tuple_variant(2, Any)?
            .0
            .replacen("{\"a\":[{\"i\":\"", "{\"tag\":[", 1)
            .replacen("\"}", "", 1);
        Ok(Told(pair))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Told, A::Error> {
        let mut items = vec![];
        while let Some(item) = access.next_element::<Told>()? {
            items.push(item.0);
        }
        Ok(Told(array(&items)))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Told, A::Error> {
        let mut members = vec![];
        while let Some((key, item)) = access.next_entry::<Told, Told>()? {
            members.push((key.0, item.0));
        }
        Ok(Told(object(&members)))
    }
}
impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Told, D::Error> {
        d.deserialize_any(Any)
    }
}

// minicbor's own decoder, item by item.
fn told(d: &mut minicbor::Decoder) -> Result<String, minicbor::decode::Error> {
    use minicbor::data::Type;
    Ok(match d.datatype()? {
        Type::Bool => d.bool()?.to_string(),
        Type::Null => {
            d.null()?;
            "null".into()
        }
        Type::Undefined => {
            d.undefined()?;
            "{\"undefined\":true}".into()
        }
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => integer(d.u64()?),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Int => integer(d.int()?),
        Type::F16 | Type::F32 | Type::F64 => real(d.f64()?),
        Type::String => text(d.str()?),
        Type::Bytes => binary(d.bytes()?),
        Type::Array => {
            let count = d.array()?.unwrap_or(0);
            let items: Result<Vec<_>, _> = (0..count).map(|_| told(d)).collect();
            array(&items?)
        }
        Type::Map => {
            let count = d.map()?.unwrap_or(0);
            let mut members = vec![];
            for _ in 0..count {
                let key = told(d)?;
                members.push((key, told(d)?));
            }
            object(&members)
        }
        Type::Tag => {
            let tag = d.tag()?.as_u64();
            format!("{{\"tag\":[{tag},{}]}}", told(d)?)
        }
        other => {
            return Err(minicbor::decode::Error::message(format!(
                "no reader of {other:?}"
            )))
        }
    })
}

fn record() -> Record {
    Record {
        id: 7,
        name: "x".into(),
        ratio: 0.5,
    }
}
fn many() -> BTreeMap<String, i32> {
    (0..20).map(|i| (format!("k{i}"), i)).collect()
}

trait Library {
    fn write<T: Serialize>(&self, value: T) -> Written;
}
// Every value through serde.
fn write(library: impl Library) {
    let print = |name: &str, written: Written| match written {
        Ok(bytes) => println!("{name}\t{}", hex(&bytes)),
        Err(why) => println!(
            "{name}\t!{}",
            why.split_whitespace().collect::<Vec<_>>().join(" ")
        ),
    };
    let none = |name: &str| println!("{name}\t-");
    let l = &library;
    print("u8", l.write([0, 1, 23, 24, 127, 128, 255]));
    print("u16", l.write([256, 32767, 32768, 65535]));
    print(
        "u32",
        l.write([65536i64, 2147483647, 2147483648, 4294967295]),
    );
    print("2^32", l.write([1i64 << 32]));
    print("2^53-1", l.write([(1i64 << 53) - 1]));
    print("2^53+1", l.write([(1i64 << 53) + 1]));
    print("2^63-1", l.write([i64::MAX]));
    print("2^64-1", l.write([u64::MAX]));
    print(
        "negative",
        l.write([
            -1,
            -24,
            -25,
            -32,
            -33,
            -128,
            -129,
            -256,
            -257,
            -32768,
            -32769,
            i32::MIN,
        ]),
    );
    print("-2^31-1", l.write([i32::MIN as i64 - 1]));
    print("-2^63", l.write([i64::MIN]));
    print("2^64", l.write([1i128 << 64]));
    print("-2^64", l.write([-(1i128 << 64)]));
    print("halves", l.write([0.5, -0.25, 1.5]));
    print("singles", l.write([0.1f32, 1.1754943508222875e-38]));
    print("doubles", l.write([1.1, 5e-324, f64::MAX]));
    print("whole", l.write([1.0, 65504.0]));
    print("-0.0", l.write([-0.0]));
    print("nan", l.write([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]));
    print("simple", l.write((true, false, None::<i32>)));
    none("undefined");
    print(
        "text",
        l.write(["", "a", "\u{e9}\u{20ac}\u{1f600}", "nul\0"]),
    );
    print("long text", l.write(["0123456789".repeat(30)]));
    print(
        "bytes",
        l.write([
            serde_bytes::Bytes::new(&[0, 255, 16]),
            serde_bytes::Bytes::new(&[]),
        ]),
    );
    print(
        "nested",
        l.write((
            Vec::<i32>::new(),
            [[1]],
            (1, [2, 3]),
            BTreeMap::<String, i32>::new(),
        )),
    );
    print("long array", l.write((0..300).collect::<Vec<i32>>()));
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Item {
        Number(i32),
        Map(BTreeMap<&'static str, Vec<i32>>),
    }
    let keys = BTreeMap::from([
        ("a", Item::Number(1)),
        ("b", Item::Map(BTreeMap::from([("c", vec![])]))),
    ]);
    print("text keys", l.write(keys));
    print("many keys", l.write(many()));
    print("integer keys", l.write(BTreeMap::from([(1, 2), (-3, 4)])));
    print("record", l.write(record()));
    print("records", l.write([record(), record()]));
    print("empty list", l.write(Lists { list: vec![] }));
    for name in ["time", "time, ms", "time, ns", "date"] {
        none(name);
    }
    print("set", l.write([BTreeSet::from([1, 2])]));
    for name in ["decimal", "typed array"] {
        none(name);
    }
    let shared = std::rc::Rc::new(BTreeMap::from([("x", 1)]));
    print("shared", l.write([&*shared, &*shared]));
}

struct Rmp;
impl Library for Rmp {
    fn write<T: Serialize>(&self, value: T) -> Written {
        rmp_serde::to_vec(&value).map_err(|why| why.to_string())
    }
}
struct RmpNamed;
impl Library for RmpNamed {
    fn write<T: Serialize>(&self, value: T) -> Written {
        rmp_serde::to_vec_named(&value).map_err(|why| why.to_string())
    }
}
struct Ciborium;
impl Library for Ciborium {
    fn write<T: Serialize>(&self, value: T) -> Written {
        let mut out = vec![];
        ciborium::into_writer(&value, &mut out).map_err(|why| why.to_string())?;
        Ok(out)
    }
}
struct MinicborSerde;
impl Library for MinicborSerde {
    fn write<T: Serialize>(&self, value: T) -> Written {
        minicbor_serde::to_vec(&value).map_err(|why| why.to_string())
    }
}

fn write_minicbor() {
    let record = ArrayRecord {
        id: 7,
        name: "x".into(),
        ratio: 0.5,
    };
    macro_rules! print {
        ($name:expr, $value:expr) => {
            match minicbor::to_vec($value) {
                Ok(bytes) => println!("{}\t{}", $name, hex(&bytes)),
                Err(why) => println!("{}\t!{why}", $name),
            }
        };
    }
    let none = |name: &str| println!("{name}\t-");
    print!("u8", [0, 1, 23, 24, 127, 128, 255]);
    print!("u16", [256, 32767, 32768, 65535]);
    print!("u32", [65536i64, 2147483647, 2147483648, 4294967295]);
    print!("2^32", [1i64 << 32]);
    print!("2^53-1", [(1i64 << 53) - 1]);
    print!("2^53+1", [(1i64 << 53) + 1]);
    print!("2^63-1", [i64::MAX]);
    print!("2^64-1", [u64::MAX]);
    print!(
        "negative",
        [
            -1,
            -24,
            -25,
            -32,
            -33,
            -128,
            -129,
            -256,
            -257,
            -32768,
            -32769,
            i32::MIN
        ]
    );
    print!("-2^31-1", [i32::MIN as i64 - 1]);
    print!("-2^63", [i64::MIN]);
    none("2^64");
    print!(
        "-2^64",
        [minicbor::data::Int::try_from(-(1i128 << 64)).expect("-2^64 is an integer of CBOR")]
    );
    print!("halves", [0.5, -0.25, 1.5]);
    print!("singles", [0.1f32, 1.1754943508222875e-38]);
    print!("doubles", [1.1, 5e-324, f64::MAX]);
    print!("whole", [1.0, 65504.0]);
    print!("-0.0", [-0.0]);
    print!("nan", [f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
    print!("simple", (true, false, None::<i32>));
    none("undefined");
    print!("text", ["", "a", "\u{e9}\u{20ac}\u{1f600}", "nul\0"]);
    print!("long text", ["0123456789".repeat(30)]);
    print!(
        "bytes",
        [
            minicbor::bytes::ByteVec::from(vec![0, 255, 16]),
            minicbor::bytes::ByteVec::from(vec![])
        ]
    );
    print!(
        "nested",
        (
            Vec::<i32>::new(),
            [[1]],
            (1, [2, 3]),
            BTreeMap::<String, i32>::new()
        )
    );
    print!("long array", (0..300).collect::<Vec<i32>>());
    none("text keys");
    print!("many keys", many());
    print!("integer keys", BTreeMap::from([(1, 2), (-3, 4)]));
    print!("record", record.clone());
    print!("records", [record.clone(), record]);
    print!("empty list", BTreeMap::from([("list", Vec::<i32>::new())]));
    let start = std::time::UNIX_EPOCH;
    print!("time", [start + std::time::Duration::new(1700000000, 0)]);
    print!(
        "time, ms",
        [start + std::time::Duration::new(1700000000, 500000000)]
    );
    print!(
        "time, ns",
        [start + std::time::Duration::new(1700000000, 123456789)]
    );
    none("date");
    print!("set", [BTreeSet::from([1, 2])]);
    for name in ["decimal", "typed array"] {
        none(name);
    }
    print!("shared", vec![BTreeMap::from([("x", 1)]); 2]);
}

fn read(library: &str, data: &[u8]) -> Result<String, String> {
    match library {
        "ciborium" => ciborium::from_reader::<Told, _>(data)
            .map(|v| v.0)
            .map_err(|why| format!("{why:?}")),
        "minicbor-serde" => minicbor_serde::from_slice::<Told>(data)
            .map(|v| v.0)
            .map_err(|why| why.to_string()),
        "minicbor" => told(&mut minicbor::Decoder::new(data)).map_err(|why| why.to_string()),
        _ => rmp_serde::from_slice::<Told>(data)
            .map(|v| v.0)
            .map_err(|why| why.to_string()),
    }
}

fn version(package: &str) -> &str {
    let start = format!("\n{package} = ");
    let pinned = include_str!("Cargo.toml")
        .split_once(&start)
        .expect("a dependency")
        .1;
    pinned
        .split_once("\"=")
        .and_then(|(_, rest)| rest.split_once('"'))
        .expect("a pinned version")
        .0
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let library = arguments.get(2).map_or("", String::as_str);
    match (arguments[1].as_str(), library) {
        ("list", _) => {
            for (name, package, format) in [
                ("rmp-serde", "rmp-serde", "msgpack"),
                ("rmp-serde to_vec_named", "rmp-serde", "msgpack"),
                ("ciborium", "ciborium", "cbor"),
                ("minicbor", "minicbor", "cbor"),
                ("minicbor-serde", "minicbor-serde", "cbor"),
            ] {
                println!("{name}\t{}\t{format}", version(package));
            }
        }
        ("write", "rmp-serde") => write(Rmp),
        ("write", "rmp-serde to_vec_named") => write(RmpNamed),
        ("write", "ciborium") => write(Ciborium),
        ("write", "minicbor-serde") => write(MinicborSerde),
        ("write", _) => write_minicbor(),
        _ => {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                let (name, digits) = line.split_once('\t').expect("a name and digits");
                let data: Vec<u8> = (0..digits.len() / 2)
                    .map(|i| {
                        u8::from_str_radix(&digits[2 * i..2 * i + 2], 16)
                            .expect("hexadecimal digits")
                    })
                    .collect();
                match read(library, &data) {
                    Ok(shown) => println!("{name}\t{shown}"),
                    Err(why) => println!(
                        "{name}\t!{}",
                        why.split_whitespace().collect::<Vec<_>>().join(" ")
                    ),
                }
            }
        }
    }
}
