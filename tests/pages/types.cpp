// SPDX-License-Identifier: Apache-2.0
// The code of docs/types.md, in one program that ends with 0 if all of it is true.
#include <ingot/core/endian.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/reflect/enums.hpp>
#include <ingot/reflect/members.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

struct Item {
  std::uint32_t id;
  std::string name;
  std::optional<double> weight;
  std::map<std::string, std::vector<std::int64_t>> scores;
};

class Account {
public:
  Account() = default;
  Account(std::string owner, std::int64_t cents) : owner_(std::move(owner)), cents_(cents) {}
  std::int64_t cents() const { return cents_; }

  constexpr auto reflect(auto&& f) { return f(owner_, cents_); }

private:
  std::string owner_;
  std::int64_t cents_ = 0;
};

struct Part {
  std::uint32_t number = 0;
};
class Door : public Part {
public:
  bool is_open() const { return open_; }
  void open(double angle) { open_ = true, angle_ = angle; }

  INGOT_REFLECT(Door, (Part), open_, angle_, level_)

private:
  bool open_ = false;
  double angle_ = 0;
  std::int32_t level_ = 0;
};

class Money {
public:
  static Money from_cents(std::int64_t cents) { return Money(cents); }
  std::int64_t cents() const { return cents_; }

private:
  explicit Money(std::int64_t cents) : cents_(cents) {}
  std::int64_t cents_;
};
template <>
struct ingot::adapt<Money> {
  static std::int64_t to(const Money& money) { return money.cents(); }
  static ingot::result<Money> from(std::int64_t cents) {
    if (cents < 0) return ingot::fail(ingot::errc::invalid_value);
    return Money::from_cents(cents);
  }
};

struct Person {
  std::string name;
  std::int32_t age = 0;
  std::vector<std::string> tags;
};
template <>
inline constexpr auto ingot::annotations<Person> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"age">(ingot::range(0, 150)),
                    ingot::member<"tags">(ingot::max_size(16)));

struct Interval {
  double low = 0;
  double high = 0;
  double length = 0; // made from the others

  bool valid() const { return low <= high; }
  void after_load() { length = high - low; }
};
template <>
inline constexpr auto ingot::annotations<Interval> = ingot::annotate(ingot::member<"length">(ingot::skip));

// Time, and types that depend on the platform.

struct Meeting {
  std::chrono::system_clock::time_point begins{}; // nanoseconds since 1970 on every platform
  std::chrono::sys_seconds entered{};             // seconds since 1970
  std::chrono::minutes lasts{};                   // 8 bytes on every platform
};

struct Counters {
  long total = 0;                      // 8 bytes on every platform
  std::vector<unsigned long> each;     // 8 bytes an element
  std::map<char, std::int32_t> grades; // ascends by code unit, 0 to 255
};

// Enums.

enum class Http { ok = 200, moved = 301, not_found = 404 };

enum class Access : std::uint8_t { none = 0, read = 1, write = 2, run = 4 };
constexpr Access operator|(Access a, Access b) {
  return static_cast<Access>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

enum Weather : std::uint16_t { rain = 1, wind = 2, snow = 0x100 };
template <>
inline constexpr auto ingot::annotations<Weather> = ingot::annotate(ingot::type(ingot::flags));

enum class Country : std::uint16_t { germany = 276, france = 250 };
template <>
inline constexpr auto ingot::annotations<Country> = ingot::annotate(ingot::type(ingot::open_enum));

enum class Fault { none = 0, disk = 10'000, net = 20'000 };
template <>
inline constexpr auto ingot::annotations<Fault> = ingot::annotate(
    ingot::enumerator<Fault::disk>(), ingot::enumerator<Fault::net>(ingot::rename("network")));

namespace {

template <class T>
ingot::result<T> there_and_back(const T& value) {
  const auto bytes = ingot::pack(value);
  if (!bytes) return ingot::fail(bytes.error());
  return ingot::unpack<T>(*bytes);
}

bool describes() {
  const auto item = there_and_back(Item{7, "rope", 1.5, {{"a", {1, 2}}}});
  const auto account = there_and_back(Account("Ada", 1250));
  Door door;
  door.number = 3;
  door.open(30);
  const auto same_door = there_and_back(door);
  const auto money = there_and_back(Money::from_cents(5));
  const auto person = there_and_back(Person{"Ada", 36, {"x"}});
  const auto interval = there_and_back(Interval{1, 3, 0});
  return item && item->scores.at("a").size() == 2 && account && account->cents() == 1250 && same_door &&
         same_door->is_open() && same_door->number == 3 && money && money->cents() == 5 && person &&
         person->age == 36 && interval && interval->length == 2;
}

bool depends_on_no_platform() {
  using namespace std::chrono_literals;
  const auto meeting =
      there_and_back(Meeting{std::chrono::system_clock::time_point(1'700'000'000s), {}, 90min});
  const auto bytes = ingot::pack(Meeting{std::chrono::system_clock::time_point(1s), {}, 90min});
  const auto counters = there_and_back(Counters{-1, {2}, {{'\xe9', 1}, {'a', 2}}});
  const auto counted = ingot::pack(Counters{-1, {2}, {}});
  return meeting && meeting->lasts == 90min && bytes && bytes->size() == 24 &&
         ingot::load_le<std::int64_t>(std::as_bytes(std::span(*bytes)).data()) == 1'000'000'000 && counters &&
         counters->grades.at('\xe9') == 1 && counted && counted->size() == 8 + 4 + 4 + 8;
}

template <class E>
bool survives(E value) {
  const auto read = there_and_back(value);
  return read && *read == value;
}
template <class E>
bool is_rejected(int number) {
  const auto read = ingot::unpack<E>(*ingot::pack(static_cast<std::underlying_type_t<E>>(number)));
  return !read && read.error().code() == ingot::errc::bad_enum;
}

bool knows_enumerators() {
  return survives(Http::not_found) && is_rejected<Http>(500) && survives(Access::read | Access::run) &&
         survives(Access::none) && is_rejected<Access>(8) && survives(static_cast<Weather>(rain | snow)) &&
         is_rejected<Weather>(0x200) && survives(Country{999}) && survives(Fault::net) &&
         is_rejected<Fault>(10'001) && ingot::enum_name(Fault::net) == "network" &&
         ingot::enum_name(Country{999}).empty();
}

} // namespace

int main() { return describes() && depends_on_no_platform() && knows_enumerators() ? 0 : 1; }
