// SPDX-License-Identifier: Apache-2.0
// `ingot diff`: compares two files, either their values by path or the types that they describe.
#include <ingot/core/detail/float_chars.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/document/format.hpp>
#include <ingot/dynamic/detail/double_of_shortest.hpp>
#include <ingot/dynamic/kind.hpp>
#include <ingot/schema/compatible.hpp>

#include "blocks.hpp"
#include "path.hpp"
#include "records.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

/// Two values with the same path. One of them may be absent.
struct pair {
  std::string at;
  node before;
  node after;
};

/// A part with the label that identifies it in its parent.
struct labelled {
  std::string shown; ///< the label, if `name` is empty
  /// the label of a member of a document that outlives the comparison; otherwise empty
  std::string_view name;
  std::string at;
  node value;
  std::size_t order; ///< index among all parts; orders parts with equal keys

  [[nodiscard]] std::string_view label() const noexcept { return name.empty() ? shown : name; }
};

/// Compares two labels. Only names of members may be passed to `order`: `order` stores them in its
/// cache, and other labels do not exist as long as this cache.
[[nodiscard]] std::strong_ordering compare_labels(const labelled& a, const labelled& b, name_order& order) {
  return a.name.empty() || b.name.empty() ? a.label() <=> b.label() : order.compare(a.name, b.name);
}

/// Returns a scalar as text. The ".0" of a number is removed.
[[nodiscard]] std::string comparable(const node& scalar) {
  if (const auto plain = scalar.text()) return std::string(*plain);
  std::string text = scalar.scalar(static_cast<std::size_t>(-1));
  if (scalar.colour() == paint::number && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

/// Returns the value of a float or double as a double.
[[nodiscard]] std::optional<double> real_of(const node& scalar) {
  const auto* const typed = scalar.as_typed();
  if (typed != nullptr ? typed->kind() != ingot::dynamic_kind::floating
                       : scalar.as_value()->kind() != ingot::value_kind::number)
    return {};
  const auto got = typed != nullptr ? typed->as<double>() : scalar.as_value()->as<double>();
  return got ? std::optional(*got) : std::nullopt;
}
[[nodiscard]] std::string label_of(const node& key) {
  if (const auto text = key.text()) return std::string(*text);
  if (const auto real = real_of(key)) {
    // The JSON form of a float has the float's digits, so both forms of a float get these.
    char digits[32];
    const auto narrow = ingot::detail::nearest_float<float>(*real);
    return {digits, ingot::detail::compare_floats(ingot::detail::float_to_double(narrow), *real) == 0
                        ? ingot::detail::float_to_chars(digits, digits + sizeof digits, narrow).ptr
                        : ingot::detail::float_to_chars(digits, digits + sizeof digits, *real).ptr};
  }
  return key.form() == node_form::scalar ? key.scalar(static_cast<std::size_t>(-1)) : key.held_json(0);
}

[[nodiscard]] bool is_keyed(const node& of) {
  return of.form() == node_form::members || of.form() == node_form::entries;
}
/// Returns true for an array of pairs. A document has such an array for a map whose keys are not
/// text.
[[nodiscard]] bool is_list_of_pairs(const node& of) {
  if (of.form() != node_form::elements) return false;
  for (parts each(of); !each.done(); each.next()) {
    const node pair = (*each).value;
    if (pair.form() != node_form::elements || pair.size() != 2) return false;
  }
  return true;
}
[[nodiscard]] bool are_entries_and_pairs(const node& one, const node& other) {
  return one.form() == node_form::entries && is_list_of_pairs(other);
}

/// Returns the parts of a value in the order of their labels. The elements of a list of pairs count
/// as entries.
[[nodiscard]] std::vector<labelled> parts_of(const node& of, std::string_view at, name_order& order) {
  std::vector<labelled> all;
  for (parts each(of, &order); !each.done(); each.next()) {
    const part next = *each;
    if (of.form() == node_form::elements) {
      std::string label = label_of(next.value.element(0));
      std::string where = std::string(at) + in_quotes(beginning(label, longest_path));
      all.push_back({std::move(label), {}, std::move(where), next.value.element(1), next.index});
    } else if (of.form() == node_form::entries) {
      all.push_back({label_of(next.key), {}, path_of(at, of, next), next.value, next.index});
    } else if (of.is_temporary() || of.as_value() == nullptr) {
      all.push_back({std::string(next.name), {}, path_of(at, of, next), next.value, next.index});
    } else {
      all.push_back({{}, next.name, path_of(at, of, next), next.value, next.index});
    }
  }
  std::ranges::sort(all, [&](const labelled& a, const labelled& b) {
    const auto labels = compare_labels(a, b, order);
    return labels != 0 ? labels < 0 : a.order < b.order;
  });
  return all;
}

/// Returns true for parts that a document omits: an optional without a value, and a member that a
/// compact message omits.
[[nodiscard]] bool is_left_out(const node& of) {
  if (of.form() != node_form::scalar || of.text()) return false;
  const std::string word = of.scalar(8);
  return word == "none" || word == "default";
}
/// Returns true if a document omits `one`, and `other` is null in a document.
[[nodiscard]] bool are_none_and_null(const node& one, const node& other) {
  return is_left_out(one) && other.as_value() != nullptr &&
         other.as_value()->kind() == ingot::value_kind::null;
}

/// Returns true if `exact` equals a float, and `shortest` is the number that JSON has for this
/// float.
[[nodiscard]] bool are_one_float(double exact, double shortest) {
  using namespace ingot::detail;
  const auto narrow = nearest_float<float>(exact);
  return compare_floats(float_to_double(narrow), exact) == 0 &&
         compare_floats(dyn::double_of_shortest(narrow), shortest) == 0;
}

/// Returns true if both scalars have the same text or the same value. Texts of equal values can
/// differ: a document has a double for a float, and the text of a float has fewer digits.
[[nodiscard]] bool are_same(const node& one, const node& other) {
  if (one.text().has_value() != other.text().has_value()) return false;
  if (comparable(one) == comparable(other)) return true;
  const auto number = real_of(one), also = real_of(other);
  if (!number || !also) return false;
  // Compares bits, because zero and negative zero differ.
  if (std::bit_cast<std::uint64_t>(*number) == std::bit_cast<std::uint64_t>(*also)) return true;
  // A part of a complex number was converted to its JSON form. A document has the exact double.
  return one.is_temporary() != other.is_temporary() &&
         (are_one_float(*number, *also) || are_one_float(*also, *number));
}

/// Returns true if `part` is a member of a document that `typed` has only in its JSON form.
[[nodiscard]] bool is_added(const node& typed, const labelled& part) {
  return part.value.as_value() != nullptr && typed.is_added_in_json(part.label(), part.value);
}

[[nodiscard]] ingot::dynamic_kind kind_of(const node& of) {
  return of.as_typed() == nullptr ? ingot::dynamic_kind::absent : of.as_typed()->kind();
}
/// Returns true for a tuple or pair. The parts of two such values are compared by number, even if
/// the parts have different names.
[[nodiscard]] bool is_tuple(const node& of) {
  return kind_of(of) == ingot::dynamic_kind::tuple || kind_of(of) == ingot::dynamic_kind::pair;
}
/// Returns true if `plain`, a document's value, has another form than the typed value `of`. In a
/// document, a bitset is text, and a complex number is an array. In the JSON form of a document,
/// also an array of characters is text, and bytes are an array.
[[nodiscard]] bool has_other_form(const node& of, const node& plain) {
  using ingot::dynamic_kind;
  const dynamic_kind kind = kind_of(of);
  if (kind == dynamic_kind::bitset || kind == dynamic_kind::complex) return true;
  return of.form() != plain.form() && (kind == dynamic_kind::array || kind == dynamic_kind::vector);
}
/// Returns true if the order of the elements has no meaning.
[[nodiscard]] bool is_set(const node& of) {
  using enum ingot::dynamic_kind;
  const ingot::dynamic_kind kind = kind_of(of);
  return kind == set || kind == multiset || kind == hash_set || kind == hash_multiset || kind == flat_set;
}

class comparison {
public:
  comparison(output& to, bool json) : to_(to), json_(json) {}

  /// Compares two values without recursion, for any depth.
  void compare(std::string at, const node& before, const node& after) {
    left_.push_back({std::move(at), before, after});
    while (!left_.empty()) {
      pair next = std::move(left_.back());
      left_.pop_back();
      look_at(std::move(next));
    }
  }
  void tell(const std::string& at, const node* before, const node* after) {
    ++count_;
    // Two alternatives may have equal values. The numbers of the alternatives are then shown.
    const bool by_number = before != nullptr && after != nullptr && before->holder().exists() &&
                           after->holder().exists() && before->held_by() != after->held_by();
    const auto text = [by_number](const node& of) {
      const std::string which =
          by_number && of.alternative() ? "(" + std::to_string(*of.alternative()) + ") " : "";
      if (of.form() == node_form::scalar) return which + of.scalar(80);
      const std::string json = of.held_json(0);
      return which + (json.size() <= 80 ? json : std::string(beginning(json, 80)) + "...");
    };
    if (json_) {
      to_ << R"({"path":)" << json_string(at);
      if (before != nullptr) to_ << R"(,"before":)" << with_safe_integers(before->json(0));
      if (after != nullptr) to_ << R"(,"after":)" << with_safe_integers(after->json(0));
      to_ << "}\n";
      return;
    }
    const std::string where = at.empty() ? "." : printable(at);
    if (before != nullptr) to_.put(paint::removed, "- " + where + ": " + text(*before)) << "\n";
    if (after != nullptr) to_.put(paint::added, "+ " + where + ": " + text(*after)) << "\n";
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

private:
  void look_at(pair two) {
    if (!two.before.exists() || !two.after.exists())
      return tell(two.at, two.before.exists() ? &two.before : nullptr,
                  two.after.exists() ? &two.after : nullptr);
    const bool is_typed = two.before.holder().exists();
    if (is_typed == two.after.holder().exists()) {
      if (is_typed && two.before.held_by() != two.after.held_by())
        return tell(two.at, &two.before, &two.after);
    } else {
      // A document has additional levels for values in variants, and for optionals in optionals.
      node& plain = is_typed ? two.after : two.before;
      const auto there = (is_typed ? two.before : two.after).counterpart_in(plain);
      if (!there) return tell(two.at, &two.before, &two.after);
      plain = *there;
      node& typed = is_typed ? two.before : two.after;
      if (has_other_form(typed, plain)) typed = typed.as_document();
    }
    const node_form form = two.before.form();
    if (is_set(two.before) || is_set(two.after)) {
      if (two.before.form() == node_form::elements && two.after.form() == node_form::elements)
        return compare_sets(two);
    }
    const bool by_index = (is_tuple(two.before) || two.before.form() == node_form::elements) &&
                          (is_tuple(two.after) || two.after.form() == node_form::elements);
    if (by_index) return compare_elements(two);
    // A typed map with text keys corresponds to an object. Any other typed map corresponds to a
    // list of pairs.
    const bool both_keyed = (is_keyed(two.before) && is_keyed(two.after)) ||
                            are_entries_and_pairs(two.before, two.after) ||
                            are_entries_and_pairs(two.after, two.before);
    if (form != two.after.form() && !both_keyed) {
      tell(two.at, &two.before, &two.after);
    } else if (form == node_form::scalar) {
      if (!are_same(two.before, two.after) && !are_none_and_null(two.before, two.after) &&
          !are_none_and_null(two.after, two.before))
        tell(two.at, &two.before, &two.after);
    } else if (both_keyed) {
      compare_keyed(two);
    } else {
      compare_elements(two);
    }
  }
  void compare_keyed(const pair& two) {
    const auto before = parts_of(two.before, two.at, order_);
    const auto after = parts_of(two.after, two.at, order_);
    const std::size_t first = left_.size();
    std::size_t i = 0;
    std::size_t j = 0;
    while (i != before.size() || j != after.size()) {
      const auto which = j == after.size()    ? std::strong_ordering::less
                         : i == before.size() ? std::strong_ordering::greater
                                              : compare_labels(before[i], after[j], order_);
      if (which < 0) {
        if (!is_left_out(before[i].value) && !is_added(two.after, before[i]))
          left_.push_back({before[i].at, before[i].value, {}});
        ++i;
      } else if (which > 0) {
        if (!is_left_out(after[j].value) && !is_added(two.before, after[j]))
          left_.push_back({after[j].at, {}, after[j].value});
        ++j;
      } else {
        left_.push_back({two.after.form() == node_form::elements ? before[i].at : after[j].at,
                         before[i].value, after[j].value});
        ++i, ++j;
      }
    }
    std::reverse(left_.begin() + static_cast<std::ptrdiff_t>(first), left_.end());
  }
  /// Compares the elements of sets by their values. A changed element counts as one removed and one
  /// added element.
  void compare_sets(const pair& two) {
    const auto listed = [&](const node& of) {
      std::vector<labelled> all;
      for (parts each(of); !each.done(); each.next()) {
        const part next = *each;
        std::string at = two.at + '[' + std::to_string(next.index) + ']';
        all.push_back({label_of(next.value), {}, std::move(at), next.value, next.index});
      }
      std::ranges::sort(all, {}, &labelled::shown);
      return all;
    };
    const auto before = listed(two.before), after = listed(two.after);
    for (std::size_t i = 0, j = 0; i != before.size() || j != after.size();) {
      if (j == after.size() || (i != before.size() && before[i].shown < after[j].shown)) {
        tell(before[i].at, &before[i].value, nullptr);
        ++i;
      } else if (i == before.size() || after[j].shown < before[i].shown) {
        tell(after[j].at, nullptr, &after[j].value);
        ++j;
      } else {
        ++i, ++j;
      }
    }
  }
  void compare_elements(const pair& two) {
    const std::size_t first = left_.size();
    parts before(two.before);
    parts after(two.after);
    for (; !before.done() || !after.done();) {
      const std::optional<part> b = before.done() ? std::nullopt : std::optional(*before);
      const std::optional<part> a = after.done() ? std::nullopt : std::optional(*after);
      const std::string at = two.at + '[' + std::to_string((b ? *b : *a).index) + ']';
      left_.push_back({at, b ? b->value : node(), a ? a->value : node()});
      if (b) before.next();
      if (a) after.next();
    }
    std::reverse(left_.begin() + static_cast<std::ptrdiff_t>(first), left_.end());
  }

  output& to_;
  bool json_;
  std::size_t count_ = 0;
  std::vector<pair> left_;
  name_order order_;
};

/// Compares the records of a log with the elements of an array, such as JSON Lines.
void compare_log_and_array(comparison& found, const opened& log, const node& array, bool is_log_first) {
  records each(log);
  for (std::size_t number = 0;; ++number) {
    const bool has_record = each.next();
    const node element = array.element(number);
    if (!has_record && !element.exists()) return;
    const node record = has_record ? each.value() : node();
    const std::string at = '[' + std::to_string(number) + ']';
    found.compare(at, is_log_first ? record : element, is_log_first ? element : record);
  }
}

[[nodiscard]] std::size_t compare_logs(comparison& found, const opened& before, const opened& after) {
  records b(before);
  records a(after);
  for (std::size_t number = 0;; ++number) {
    const bool has_b = b.next();
    const bool has_a = a.next();
    if (!has_b && !has_a) return found.count();
    const std::string at = '[' + std::to_string(number) + ']';
    if (has_b && has_a) {
      found.compare(at, b.value(), a.value());
      continue;
    }
    const node alone = has_b ? b.value() : a.value();
    found.tell(at, has_b ? &alone : nullptr, has_b ? nullptr : &alone);
  }
}

[[nodiscard]] ingot::schema schema_of(const opened& of) {
  return embedded_schema_of(of, how_to_get_schema(of), exit_code::failed);
}

[[nodiscard]] exit_code diff_schemas(output& to, const opened& before, const opened& after, bool json) {
  const auto old = schema_of(before);
  const auto now = schema_of(after);
  const auto answer = ingot::compatible(old, now);
  const bool is_same = old == now;
  if (json) {
    to << R"({"same":)" << (is_same ? "true" : "false") << R"(,"reads":)" << (answer ? "true" : "false")
       << R"(,"changes":[)";
    std::string_view separator;
    for (const auto& each : answer.changes()) {
      to << separator << R"({"path":)" << json_string(each.path) << R"(,"before":)"
         << json_string(each.before) << R"(,"after":)" << json_string(each.after) << R"(,"reason":)"
         << json_string(each.reason) << "}";
      separator = ",";
    }
    to << "]}\n";
  } else if (is_same) {
    to << "the same\n";
  } else {
    std::string text = answer.to_text();
    std::string lines;
    // Member names come from the file, and may contain control characters.
    for (std::string_view left = text; !left.empty();) {
      const std::string_view line = left.substr(0, left.find('\n'));
      left.remove_prefix(std::min(left.size(), line.size() + 1));
      (lines += printable(line)) += '\n';
    }
    to << lines
       << (answer ? "the second file's type reads files of the first file's type\n"
                  : "the second file's type can't read files of the first file's type\n");
  }
  return is_same ? exit_code::ok : exit_code::no;
}

} // namespace

exit_code diff(output& to, const diff_options& options, const shared_options& shared) {
  const opened before = value_of(open(options.before, shared.from), options.before);
  const opened after = value_of(open(options.after, shared.from), options.after);
  if (options.schema) return diff_schemas(to, before, after, shared.json);
  comparison found(to, shared.json);
  if (before.is_log() != after.is_log()) {
    const opened& log = before.is_log() ? before : after;
    const node other = root_of(before.is_log() ? after : before);
    if (other.form() != node_form::elements)
      throw failure(sentence("nothing to compare", "two logs, two values, or a log and an array",
                             before.what() + " and " + after.what(), ""));
    compare_log_and_array(found, log, other, before.is_log());
  } else if (before.is_log()) {
    static_cast<void>(compare_logs(found, before, after));
  } else {
    found.compare({}, root_of(before), root_of(after));
  }
  return found.count() == 0 ? exit_code::ok : exit_code::no;
}

} // namespace tool
