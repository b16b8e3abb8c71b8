// SPDX-License-Identifier: Apache-2.0
// The library works in every phase of the end of a program and of a thread: destructors of static
// and thread_local objects that were created before and after its first use, `atexit`, and keys of
// POSIX threads. Each phase runs in its own process, because one phase leaves resources that the
// next would use.
#include <ingot/document/document.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/edit_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/save.hpp>
#include <ingot/json/json.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/checked_view.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/description.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ends {

struct member {
  int number = 3;
  std::string text = "a default that is longer than short texts are";
  std::vector<std::string> list;
  bool operator==(const member&) const = default;
};
struct record {
  std::string name;
  member one;
  std::vector<member> many;
  bool operator==(const record&) const = default;
};
struct node {
  ingot::string name;
  ingot::vector<node> kids;
};

} // namespace ends

template <>
inline constexpr auto ingot::annotations<ends::member> = ingot::annotate(ingot::type(ingot::evolvable));

namespace ends {

std::filesystem::path folder() {
  return std::filesystem::temp_directory_path() / ("ingot-ends-" + std::to_string(::getpid()));
}

/// Prints the layer that failed, and ends the process immediately.
void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::_Exit(1);
}

void use_all_layers() {
  record value{.name = "a name that is longer than short ones", .one = {}, .many = {}};
  value.many.resize(5);
  value.many[2].list.assign(20, "an element of a list of a member");

  ingot::live<node> block;
  block->kids.emplace_back().kids.emplace_back().name = "a name that is longer than short ones";
  ingot::live<node> copy = block;
  copy.compact();
  expect(copy == block && ingot::live<node>::open(copy.bytes()).has_value(), "live");
  expect(!ingot::layout_of<node>().empty() && ingot::layout_of<node>().front() != std::byte{0xDD},
         "layout_of");

  const auto packed = ingot::pack(value);
  expect(packed && ingot::unpack<record>(*packed) == value, "pack");
  expect(ingot::view<record>::open(*packed).value().get<"one">().get<"text">() == value.one.text, "view");
  const auto compact = ingot::compact::pack(value);
  expect(compact && ingot::compact::unpack<record>(*compact) == value, "compact");
  auto seen = ingot::compact::view<record>::open(*compact);
  expect(seen && seen->get<"one">().get<"text">() == value.one.text, "compact view");
  const auto schema = ingot::schema_bytes<record>();
  expect(ingot::read_schema(schema).has_value(), "schema");

  const auto text = ingot::json::write(value);
  expect(text && ingot::json::read<record>(*text) == value, "json");
  ingot::document document;
  document["key"] = *text;
  document["list"] = std::vector<int>{1, 2, 3};
  expect(ingot::document::open(document.bytes()).has_value(), "document");

  std::error_code ignored;
  std::filesystem::create_directory(folder(), ignored);
  expect(ingot::save(folder() / "value", value) && ingot::load<record>(folder() / "value") == value, "file");
  {
    auto edited = ingot::create_edited_file<ingot::live<node>>(folder() / "edited");
    expect(edited.has_value(), "create_edited_file");
    (*edited)->kids.emplace_back().name = "a name that is longer than short ones";
  }
  {
    auto log = ingot::log_writer<record>::open(folder() / "log");
    expect(log && log->append(value) && log->append(value), "log_writer");
    auto reader = ingot::log_reader<record>::open(folder() / "log");
    record read;
    expect(reader && reader->next(read).value_or(false) && read == value, "log_reader");
  }
  std::filesystem::remove_all(folder(), ignored);
}

/// The phase that uses the library; the parent waits for 'done'.
std::string_view phase;
bool is_warm = false;
void reach(std::string_view now) {
  if (now != phase) return;
  use_all_layers();
  static_cast<void>(::write(STDOUT_FILENO, "done\n", 5) == 5);
}

struct at_end {
  std::string_view name;
  explicit at_end(std::string_view of) noexcept : name(of) {}
  at_end(const at_end&) = delete;
  at_end& operator=(const at_end&) = delete;
  ~at_end() { reach(name); }
};
const at_end static_before{"static_before"};

void key_ends(void*) { reach("thread_key"); }

int run() {
  std::atexit([] { reach("atexit_before"); });
  static thread_local const at_end local_before{"local_before"};
  static_cast<void>(&local_before);
  if (is_warm) use_all_layers();
  static const at_end static_after{"static_after"};
  static thread_local const at_end local_after{"local_after"};
  static_cast<void>(&local_after);
  std::atexit([] { reach("atexit_after"); });
  if (phase.starts_with("thread_")) {
    pthread_key_t key{};
    expect(::pthread_key_create(&key, key_ends) == 0, "pthread_key_create");
    std::thread([key] {
      static thread_local const at_end before{"thread_before"};
      static_cast<void>(&before);
      expect(::pthread_setspecific(key, &before) == 0, "pthread_setspecific");
      if (is_warm) use_all_layers();
      static thread_local const at_end after{"thread_after"};
      static_cast<void>(&after);
    }).join();
  }
  return 0;
}

/// Runs this program with the arguments. Returns true if it reached the phase and ended normally.
bool run_child(const char* self, const char* of, const char* warmth) {
  int ends_of_pipe[2];
  expect(::pipe(ends_of_pipe) == 0, "pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends_of_pipe[1], STDOUT_FILENO);
    ::close(ends_of_pipe[0]);
    ::execl(self, self, of, warmth, static_cast<char*>(nullptr));
    std::_Exit(2);
  }
  ::close(ends_of_pipe[1]);
  std::string said;
  for (char c = 0; ::read(ends_of_pipe[0], &c, 1) == 1;) said += c;
  ::close(ends_of_pipe[0]);
  int status = 0;
  expect(::waitpid(child, &status, 0) == child, "waitpid");
  const bool good = said == "done\n" && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!good) std::fprintf(stderr, "%s, %s: status %d\n", of, warmth, status);
  return good;
}

} // namespace ends

int main(int count, char** arguments) {
  if (count == 3) {
    ends::phase = arguments[1];
    ends::is_warm = std::string_view(arguments[2]) == "warm";
    return ends::run();
  }
  int wrong = 0;
  for (const char* each : {"static_before", "static_after", "atexit_before", "atexit_after", "local_before",
                           "local_after", "thread_before", "thread_after", "thread_key"}) {
    for (const char* warmth : {"warm", "cold"}) {
      // Here the library's cache is created after the thread's destructors have run, and it stays:
      // Linux calls no more destructors.
      if (std::string_view(each) == "thread_key" && std::string_view(warmth) == "cold") continue;
      wrong += ends::run_child(arguments[0], each, warmth) ? 0 : 1;
    }
  }
  return wrong == 0 ? 0 : 1;
}
