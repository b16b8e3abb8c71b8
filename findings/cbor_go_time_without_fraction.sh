#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that fxamacker/cbor, which speaks of RFC 8949 throughout, writes Go's time.Time as
# a time of CBOR, tag 0 or 1, with its nanoseconds, as encoding/json writes them. By default it
# writes an integer without a tag, and drops the fraction, by truncation and without an error: what
# is read back is up to a second earlier, and the zero time is null. vmihailenco/msgpack keeps the
# nanoseconds of the same value. So a reader sees a plain integer where the schema says time, and a
# fraction that was never sent can't be missed.
#
# Seen with fxamacker/cbor 2.10.0 and vmihailenco/msgpack 5.4.1. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module seen

go 1.24
GO
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/vmihailenco/msgpack/v5"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	at := time.Date(2023, 11, 14, 22, 13, 20, 987654321, time.UTC)
	for _, library := range []struct {
		name      string
		marshal   func(any) ([]byte, error)
		unmarshal func([]byte, any) error
	}{{"encoding/json", json.Marshal, json.Unmarshal}, {"msgpack", msgpack.Marshal, msgpack.Unmarshal}, {"cbor", cbor.Marshal, cbor.Unmarshal}} {
		data := must(library.marshal(at))
		var back time.Time
		if err := library.unmarshal(data, &back); err != nil {
			panic(err)
		}
		fmt.Printf("%s: %x, lost %v\n", library.name, data, at.Sub(back))
	}
	fmt.Printf("cbor of time.Time{}: %x\n", must(cbor.Marshal(time.Time{})))
}
GO
go get github.com/fxamacker/cbor/v2@v2.10.0 github.com/vmihailenco/msgpack/v5@v5.4.1 2>go.log || { cat go.log; exit 1; }
{ grep -o 'fxamacker/cbor/v2 v[0-9.]*\|vmihailenco/msgpack/v5 v[0-9.]*' go.mod; go run .; } | tee seen
cat >expected <<'SEEN'
fxamacker/cbor/v2 v2.10.0
vmihailenco/msgpack/v5 v5.4.1
encoding/json: 22323032332d31312d31345432323a31333a32302e3938373635343332315a22, lost 0s
msgpack: d7ffeb79a2c46553f100, lost 0s
cbor: 1a6553f100, lost 987.654321ms
cbor of time.Time{}: f6
SEEN
diff expected seen
