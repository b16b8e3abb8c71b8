// SPDX-License-Identifier: Apache-2.0
// Encoders of Java, for encoders.py, which says what is printed.
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.msgpack.jackson.dataformat.MessagePackExtensionType;
import org.msgpack.jackson.dataformat.MessagePackFactory;
import org.msgpack.jackson.dataformat.TimestampExtensionModule;

public class Encoders {
    public record Record(int id, String name, double ratio) {}

    public record Lists(List<Integer> list) {}

    record Library(String name, String version, String format, ObjectMapper mapper) {}

    static final Object ABSENT = new Object();

    static List<Library> libraries() {
        String cbor = new com.fasterxml.jackson.dataformat.cbor.PackageVersion().version().toString();
        String msgpack = System.getProperty("msgpack.version");
        ObjectMapper small = new ObjectMapper(CBORFactory.builder()
                .enable(CBORGenerator.Feature.WRITE_MINIMAL_DOUBLES)
                .build()).registerModule(new JavaTimeModule()).disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
        return List.of(
                new Library("jackson-dataformat-cbor", cbor, "cbor", new ObjectMapper(new CBORFactory()).registerModule(new JavaTimeModule())),
                new Library("jackson-dataformat-cbor WRITE_MINIMAL_DOUBLES, no WRITE_DATES_AS_TIMESTAMPS", cbor, "cbor", small),
                new Library("jackson-dataformat-msgpack", msgpack, "msgpack",
                        new ObjectMapper(new MessagePackFactory()).registerModule(new JavaTimeModule())),
                new Library("jackson-dataformat-msgpack TimestampExtensionModule", msgpack, "msgpack",
                        new ObjectMapper(new MessagePackFactory()).registerModule(new JavaTimeModule())
                                .registerModule(TimestampExtensionModule.INSTANCE)));
    }

    static Map<String, Object> values() {
        Map<String, Object> v = new LinkedHashMap<>();
        v.put("u8", new int[] {0, 1, 23, 24, 127, 128, 255});
        v.put("u16", new int[] {256, 32767, 32768, 65535});
        v.put("u32", new long[] {65536, 2147483647, 2147483648L, 4294967295L});
        v.put("2^32", new long[] {1L << 32});
        v.put("2^53-1", new long[] {(1L << 53) - 1});
        v.put("2^53+1", new long[] {(1L << 53) + 1});
        v.put("2^63-1", new long[] {Long.MAX_VALUE});
        v.put("2^64-1", List.of(BigInteger.TWO.pow(64).subtract(BigInteger.ONE)));
        v.put("negative", new int[] {-1, -24, -25, -32, -33, -128, -129, -256, -257, -32768, -32769, Integer.MIN_VALUE});
        v.put("-2^31-1", new long[] {Integer.MIN_VALUE - 1L});
        v.put("-2^63", new long[] {Long.MIN_VALUE});
        v.put("2^64", List.of(BigInteger.TWO.pow(64)));
        v.put("-2^64", List.of(BigInteger.TWO.pow(64).negate()));
        v.put("halves", new double[] {0.5, -0.25, 1.5});
        v.put("singles", new float[] {0.1f, 1.1754943508222875e-38f});
        v.put("doubles", new double[] {1.1, 5e-324, Double.MAX_VALUE});
        v.put("whole", new double[] {1.0, 65504.0});
        v.put("-0.0", new double[] {-0.0});
        v.put("nan", new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY});
        v.put("simple", Arrays.asList(true, false, null));
        v.put("undefined", ABSENT);
        v.put("text", List.of("", "a", "\u00e9\u20ac\ud83d\ude00", "nul\0"));
        v.put("long text", List.of("0123456789".repeat(30)));
        v.put("bytes", List.of(new byte[] {0, -1, 16}, new byte[0]));
        v.put("nested", List.of(List.of(), List.of(List.of(1)), List.of(1, List.of(2, 3)), Map.of()));
        v.put("long array", IntStream.range(0, 300).toArray());
        v.put("text keys", Map.of("a", 1, "b", Map.of("c", List.of())));
        v.put("many keys", IntStream.range(0, 20).boxed().collect(Collectors.toMap(i -> "k" + i, i -> i)));
        v.put("integer keys", Map.of(1, 2, -3, 4));
        v.put("record", new Record(7, "x", 0.5));
        v.put("records", List.of(new Record(7, "x", 0.5), new Record(7, "x", 0.5)));
        v.put("empty list", new Lists(List.of()));
        v.put("time", List.of(Instant.ofEpochSecond(1700000000)));
        v.put("time, ms", List.of(Instant.ofEpochSecond(1700000000, 500000000)));
        v.put("time, ns", List.of(Instant.ofEpochSecond(1700000000, 123456789)));
        v.put("date", List.of(LocalDate.of(2023, 11, 14)));
        v.put("set", List.of(new LinkedHashSet<>(List.of(1, 2))));
        v.put("decimal", List.of(new BigDecimal("273.15")));
        v.put("typed array", List.of(new float[] {1.0f, 2.5f}));
        Map<String, Integer> shared = Map.of("x", 1);
        v.put("shared", List.of(shared, shared));
        return v;
    }

    static String quoted(String text) throws Exception {
        return new ObjectMapper().writeValueAsString(text);
    }

    static String tell(Object value) throws Exception {
        if (value == null || value instanceof Boolean) return String.valueOf(value);
        if (value instanceof Integer || value instanceof Long || value instanceof BigInteger) return "{\"i\":\"" + value + "\"}";
        if (value instanceof Float || value instanceof Double)
            return String.format("{\"f\":\"%016x\"}", Double.doubleToRawLongBits(((Number) value).doubleValue()));
        if (value instanceof BigDecimal decimal) return "{\"d\":\"" + decimal.toPlainString() + "\"}";
        if (value instanceof String text) return "{\"t\":" + quoted(text) + "}";
        if (value instanceof byte[] bytes) return "{\"b\":\"" + HexFormat.of().formatHex(bytes) + "\"}";
        if (value instanceof Instant time) return String.format("{\"time\":\"%d.%09d\"}", time.getEpochSecond(), time.getNano());
        if (value instanceof MessagePackExtensionType extension)
            return "{\"ext\":[" + extension.getType() + ",\"" + HexFormat.of().formatHex(extension.getData()) + "\"]}";
        List<String> parts = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object item : list) parts.add(tell(item));
            return "{\"a\":[" + String.join(",", parts) + "]}";
        }
        if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> member : map.entrySet()) parts.add("[" + tell(member.getKey()) + "," + tell(member.getValue()) + "]");
            return "{\"m\":[" + String.join(",", parts) + "]}";
        }
        return "{\"java\":\"" + value.getClass().getName() + "\"}";
    }

    interface Attempt {
        String run() throws Exception;
    }

    static String attempt(Attempt attempt) {
        try {
            return attempt.run();
        } catch (Exception error) {
            return "!" + (error.getClass().getSimpleName() + ": " + error.getMessage()).split("\n")[0].replaceAll("\\s+", " ");
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (Library library : libraries()) {
            if (arguments[0].equals("list")) {
                System.out.println(library.name + "\t" + library.version + "\t" + library.format);
            } else if (!library.name.equals(arguments[1])) {
                continue;
            } else if (arguments[0].equals("write")) {
                for (Map.Entry<String, Object> value : values().entrySet()) {
                    System.out.println(value.getKey() + "\t" + (value.getValue() == ABSENT ? "-"
                            : attempt(() -> HexFormat.of().formatHex(library.mapper.writeValueAsBytes(value.getValue())))));
                }
            } else {
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                for (String line; (line = lines.readLine()) != null; ) {
                    String[] parts = line.split("\t");
                    System.out.println(parts[0] + "\t"
                            + attempt(() -> tell(library.mapper.readValue(HexFormat.of().parseHex(parts[1]), Object.class))));
                }
            }
        }
    }
}
