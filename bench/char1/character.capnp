# SPDX-License-Identifier: Apache-2.0
# The CHAR-1 types for Cap'n Proto; the map as a list of its items in the order of their keys.
@0xd1c7a6e5b4938271;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("bench_capnp");

struct Position {
  x @0 :Float32;
  y @1 :Float32;
  z @2 :Float32;
}

struct Item {
  key @0 :UInt64;
  id @1 :UInt32;
  number @2 :UInt32;
  uuid @3 :UInt64;
  timestamp @4 :UInt64;
}

struct Equip {
  id @0 :UInt32;
  number @1 :UInt32;
  uuid @2 :UInt64;
  timestamp @3 :UInt64;
  level @4 :UInt32;
  attributes @5 :List(Float32);
}

struct Skill {
  id @0 :UInt32;
  level @1 :UInt32;
}

struct Character {
  id @0 :UInt64;
  name @1 :Text;
  level @2 :UInt32;
  healthpoint @3 :Float32;
  manapoint @4 :Float32;
  speed @5 :Float32;
  pos @6 :Position;
  items @7 :List(Item);
  path @8 :List(Position);
  attributes @9 :List(Float32);
  equips @10 :List(Equip);
  skills @11 :List(Skill);
}
