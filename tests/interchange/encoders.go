// SPDX-License-Identifier: Apache-2.0
// Encoders of Go, for encoders.py, which says what is printed.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/vmihailenco/msgpack/v5"
)

type record struct {
	ID    int     `cbor:"id" msgpack:"id"`
	Name  string  `cbor:"name" msgpack:"name"`
	Ratio float64 `cbor:"ratio" msgpack:"ratio"`
}
type arrayRecord struct {
	_     struct{} `cbor:",toarray"`
	ID    int
	Name  string
	Ratio float64
}
type lists struct {
	List []int `cbor:"list" msgpack:"list"`
}
type named struct {
	name  string
	value any
}
type absent struct{}

func power(exponent uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), exponent) }

func values(asArrays bool) []named {
	long := make([]int, 300)
	for i := range long {
		long[i] = i
	}
	many := map[string]int{}
	for i := range 20 {
		many[fmt.Sprintf("k%d", i)] = i
	}
	shared := &map[string]int{"x": 1}
	one := any(record{7, "x", 0.5})
	if asArrays {
		one = arrayRecord{ID: 7, Name: "x", Ratio: 0.5}
	}
	return []named{
		{"u8", []int{0, 1, 23, 24, 127, 128, 255}},
		{"u16", []int{256, 32767, 32768, 65535}},
		{"u32", []int{65536, 2147483647, 2147483648, 4294967295}},
		{"2^32", []int{4294967296}},
		{"2^53-1", []int64{1<<53 - 1}},
		{"2^53+1", []int64{1<<53 + 1}},
		{"2^63-1", []int64{math.MaxInt64}},
		{"2^64-1", []uint64{math.MaxUint64}},
		{"negative", []int{-1, -24, -25, -32, -33, -128, -129, -256, -257, -32768, -32769, -2147483648}},
		{"-2^31-1", []int{-2147483649}},
		{"-2^63", []int64{math.MinInt64}},
		{"2^64", []*big.Int{power(64)}},
		{"-2^64", []*big.Int{new(big.Int).Neg(power(64))}},
		{"halves", []float64{0.5, -0.25, 1.5}},
		{"singles", []float32{0.1, 1.1754943508222875e-38}},
		{"doubles", []float64{1.1, 5e-324, math.MaxFloat64}},
		{"whole", []float64{1, 65504}},
		{"-0.0", []float64{math.Copysign(0, -1)}},
		{"nan", []float64{math.NaN(), math.Inf(1), math.Inf(-1)}},
		{"simple", []any{true, false, nil}},
		{"undefined", absent{}},
		{"text", []string{"", "a", "\u00e9\u20ac\U0001f600", "nul\x00"}},
		{"long text", []string{strings.Repeat("0123456789", 30)}},
		{"bytes", [][]byte{{0, 255, 16}, {}}},
		{"nested", []any{[]any{}, []any{[]int{1}}, []any{1, []int{2, 3}}, map[string]int{}}},
		{"long array", long},
		{"text keys", map[string]any{"a": 1, "b": map[string]any{"c": []int{}}}},
		{"many keys", many},
		{"integer keys", map[int]int{1: 2, -3: 4}},
		{"record", one},
		{"records", []any{one, one}},
		{"empty list", lists{}},
		{"time", []time.Time{time.Unix(1700000000, 0).UTC()}},
		{"time, ms", []time.Time{time.Unix(1700000000, 500000000).UTC()}},
		{"time, ns", []time.Time{time.Unix(1700000000, 123456789).UTC()}},
		{"date", absent{}},
		{"set", absent{}},
		{"decimal", absent{}},
		{"typed array", absent{}},
		{"shared", []*map[string]int{shared, shared}},
	}
}

type object = map[string]any

func tell(value any) any {
	switch v := value.(type) {
	case nil, bool:
		return v
	case string:
		return object{"t": v}
	case []byte:
		return object{"b": hex.EncodeToString(v)}
	case time.Time:
		return object{"time": fmt.Sprintf("%d.%09d", v.Unix(), v.Nanosecond())}
	case *time.Time:
		return tell(*v)
	case big.Int:
		return object{"i": v.String()}
	case *big.Int:
		return object{"i": v.String()}
	case cbor.Tag:
		return object{"tag": []any{v.Number, tell(v.Content)}}
	case cbor.SimpleValue:
		return object{"simple": int(v)}
	}
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"i": fmt.Sprint(value)}
	case reflect.Float32, reflect.Float64:
		return object{"f": fmt.Sprintf("%016x", math.Float64bits(v.Float()))}
	case reflect.Slice, reflect.Array:
		items := []any{}
		for i := range v.Len() {
			items = append(items, tell(v.Index(i).Interface()))
		}
		return object{"a": items}
	case reflect.Map:
		members := []any{}
		for _, key := range v.MapKeys() {
			members = append(members, []any{tell(key.Interface()), tell(v.MapIndex(key).Interface())})
		}
		return object{"m": members}
	}
	return object{"go": fmt.Sprintf("%T", value)}
}

type library struct {
	name, module, format string
	asArrays             bool
	write                func(any) ([]byte, error)
	read                 func([]byte) (any, error)
}

func readCbor(data []byte) (value any, err error) {
	err = cbor.Unmarshal(data, &value)
	return
}

func cborWith(options cbor.EncOptions) func(any) ([]byte, error) {
	mode, err := options.EncMode()
	if err != nil {
		panic(err)
	}
	return mode.Marshal
}

func readMsgpack(data []byte) (value any, err error) {
	err = msgpack.Unmarshal(data, &value)
	return
}

func libraries() []library {
	const fx, vm = "github.com/fxamacker/cbor/v2", "github.com/vmihailenco/msgpack/v5"
	tagged := cbor.EncOptions{Time: cbor.TimeRFC3339NanoUTC, TimeTag: cbor.EncTagRequired, NilContainers: cbor.NilContainerAsEmpty}
	return []library{
		{"fxamacker/cbor", fx, "cbor", false, cbor.Marshal, readCbor},
		{"fxamacker/cbor toarray", fx, "cbor", true, cbor.Marshal, readCbor},
		{"fxamacker/cbor TimeRFC3339NanoUTC, EncTagRequired, NilContainerAsEmpty", fx, "cbor", false, cborWith(tagged), readCbor},
		{"vmihailenco/msgpack", vm, "msgpack", false, msgpack.Marshal, readMsgpack},
		{"vmihailenco/msgpack UseCompactInts, UseCompactFloats; DecodeUntypedMap", vm, "msgpack", false, func(value any) ([]byte, error) {
			var out strings.Builder
			encoder := msgpack.NewEncoder(&out)
			encoder.UseCompactInts(true)
			encoder.UseCompactFloats(true)
			err := encoder.Encode(value)
			return []byte(out.String()), err
		}, func(data []byte) (any, error) {
			decoder := msgpack.NewDecoder(strings.NewReader(string(data)))
			decoder.SetMapDecoder(func(d *msgpack.Decoder) (any, error) { return d.DecodeUntypedMap() })
			return decoder.DecodeInterface()
		}},
	}
}

func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return strings.TrimPrefix(dependency.Version, "v")
		}
	}
	return "?"
}

func attempt(f func() (string, error)) (said string) {
	defer func() {
		if caught := recover(); caught != nil {
			said = fmt.Sprint("!panic: ", caught)
		}
	}()
	got, err := f()
	if err != nil {
		return "!" + strings.Join(strings.Fields(err.Error()), " ")
	}
	return got
}

func main() {
	for _, l := range libraries() {
		if os.Args[1] == "list" {
			fmt.Printf("%s\t%s\t%s\n", l.name, version(l.module), l.format)
			continue
		}
		if l.name != os.Args[2] {
			continue
		}
		if os.Args[1] == "write" {
			for _, v := range values(l.asArrays) {
				if _, none := v.value.(absent); none {
					fmt.Printf("%s\t-\n", v.name)
					continue
				}
				fmt.Printf("%s\t%s\n", v.name, attempt(func() (string, error) {
					data, err := l.write(v.value)
					return hex.EncodeToString(data), err
				}))
			}
			continue
		}
		lines := bufio.NewScanner(os.Stdin)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			name, digits, _ := strings.Cut(lines.Text(), "\t")
			fmt.Printf("%s\t%s\n", name, attempt(func() (string, error) {
				data, err := hex.DecodeString(digits)
				if err != nil {
					return "", err
				}
				value, err := l.read(data)
				if err != nil {
					return "", err
				}
				shown, err := json.Marshal(tell(value))
				return string(shown), err
			}))
		}
	}
}
