#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that rmp-serde writes an integer of Rust in as few bytes as its value needs,
# whatever its type is, as it does for u8 to u64, and as ciborium and minicbor-serde do for u128
# too. It writes every u128 and i128 as 16 bytes of the binary type, also the number 5; readers in
# other languages get bytes where a number belongs, with no tag and no sign to tell an i128 from a
# u128. It does read the number 5 as u128.
#
# Seen with rmp-serde 1.3.1, ciborium 0.2.2 and minicbor-serde 0.7.2. Exits with 1 if that has
# changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.1.0"
edition = "2021"

[dependencies]
ciborium = "=0.2.2"
minicbor-serde = { version = "=0.7.2", features = ["alloc"] }
rmp-serde = "=1.3.1"
TOML
cat >src/main.rs <<'RUST'
fn hex(bytes: Vec<u8>) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
fn main() {
    println!("rmp-serde, 5u64: {}", hex(rmp_serde::to_vec(&5u64).unwrap()));
    println!("rmp-serde, 5u128: {}", hex(rmp_serde::to_vec(&5u128).unwrap()));
    println!("rmp-serde, -1i128: {}", hex(rmp_serde::to_vec(&-1i128).unwrap()));
    println!("rmp-serde, 05 as u128: {:?}", rmp_serde::from_slice::<u128>(&[5]).unwrap());
    let mut out = vec![];
    ciborium::into_writer(&5u128, &mut out).unwrap();
    println!("ciborium, 5u128: {}", hex(out));
    println!("minicbor-serde, 5u128: {}", hex(minicbor_serde::to_vec(&5u128).unwrap()));
}
RUST
cargo build --quiet -j1 --target-dir target
{ cargo tree --depth 1 --prefix none | grep -o '^\(ciborium\|minicbor-serde\|rmp-serde\) v[0-9.]*'; target/debug/seen; } | tee seen
cat >expected <<'SEEN'
ciborium v0.2.2
minicbor-serde v0.7.2
rmp-serde v1.3.1
rmp-serde, 5u64: 05
rmp-serde, 5u128: c41000000000000000000000000000000005
rmp-serde, -1i128: c410ffffffffffffffffffffffffffffffff
rmp-serde, 05 as u128: 5
ciborium, 5u128: 05
minicbor-serde, 5u128: 05
SEEN
diff expected seen
