// SPDX-License-Identifier: Apache-2.0
// This is the only source file that includes CLI11, because CLI11 takes seconds to compile.
#include "command_line.hpp"

#include "cli_support.hpp"
#include "complete.hpp"
#include "man_pages.hpp"
#include "mend_file.hpp"
#include "pager.hpp"
#include "text.hpp"
#include "usage.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace tool {

namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 done, or the answer is yes; 1 the answer is no: absent, invalid, different; "
    "2 the command line is invalid; 3 something could not be read or written.";

constexpr const char* about_paths =
    "Paths are as in error messages, equips[3].id or items[\"key\"], or JSON Pointers, /equips/3/id; "
    "[-1] is the last part.";
constexpr const char* about_many_paths =
    "Paths are as in error messages, equips[3].id or items[\"key\"], or JSON Pointers, /equips/3/id; "
    "[-1] is the last part, [] are all parts, [0:2] the first two.";

constexpr const char* about_range =
    "Only the bytes from position FROM to position TO, without the byte at TO. "
    "Positions are decimal, or hexadecimal with 0x. "
    "One number alone is one byte";

class command_line {
public:
  command_line() : app_("Shows, changes and converts ingot's files, JSON, MessagePack and CBOR.", "ingot") {
    app_.formatter(help_layout_); // the verbs share it
    app_.set_help_flag("-h,--help", "Print this help, in a pager if the terminal has fewer lines");
    app_.set_version_flag("-V,--version", "ingot " INGOT_VERSION, "Print the version");
    app_.add_flag("--no-pager", has_no_pager_,
                  "Print help without a pager; so does an empty PAGER in the environment");
    app_.require_subcommand(1);
    help_layout_->label("SUBCOMMAND", "VERB");
    help_layout_->label("Positionals", "Arguments");
    app_.footer(
        std::string("The file - is standard input. ingot VERB --help explains a verb, with examples.\n") +
        exit_codes);
    describe_inspect();
    describe_get();
    describe_validate();
    describe_schema();
    describe_set();
    describe_convert();
    describe_diff();
    describe_annotate();
    describe_layout();
    describe_compact();
    describe_recover();
    describe_stats();
    app_.add_option("--write-manuals", manuals_, "Write manual pages and completions to a folder")->group("");
  }

  int run(int count, const char* const* words) {
    const std::vector<const char*> other_words = without_pager_option(count, words);
    count = static_cast<int>(other_words.size());
    words = other_words.data();
    if (count == 1) {
      write_verbs();
      return static_cast<int>(exit_code::usage);
    }
    if (count == 3 && std::string_view(words[1]) == "--write-manuals") {
      write_manuals(app_, words[2], INGOT_VERSION);
      return static_cast<int>(exit_code::ok);
    }
    if (count >= 5 && std::string_view(words[1]) == "--complete-path") {
      // SHELL FILE WORD [FORMAT], called by the completions
      const std::string_view as = count > 5 ? words[5] : "auto";
      const bool is_bash = std::string_view(words[2]) == "bash";
      std::string lines;
      for (const std::string& each :
           is_bash ? completed_words(words[3], words[4], as) : completed_paths(words[3], words[4], as))
        lines += each + '\n';
      return print(lines);
    }
    if (count > 1 && std::string_view(words[1]) == "help") return help(count > 2 ? words[2] : "");
    if (const std::string wrong = wrong_first(words); !wrong.empty()) throw failure(wrong, exit_code::usage);
    try {
      app_.parse(count, words);
    } catch (const CLI::Success& requested) { // --help, --version
      const bool is_version = dynamic_cast<const CLI::CallForVersion*>(&requested) != nullptr;
      return is_version ? print(app_.version() + "\n") : print_help(app_, "");
    } catch (const CLI::ParseError& why) {
      throw failure(usage_sentence(why, *in_use()), exit_code::usage);
    }
    output to(shared_.colour);
    const activity_indicator alive(in_use()->get_name());
    exit_code code = act_(to);
    to.finish();
    if (code == exit_code::ok && has_mended_files()) code = exit_code::no;
    return static_cast<int>(code);
  }

private:
  using action = std::function<exit_code(output&)>;

  static int print(const std::string& text) {
    output to(colours::never);
    to << text;
    to.finish();
    return static_cast<int>(exit_code::ok);
  }
  /// Removes `--no-pager` from the words, because people write it before and after the verb.
  [[nodiscard]] std::vector<const char*> without_pager_option(int count, const char* const* words) {
    std::vector<const char*> other_words;
    bool is_option = true;
    for (const std::string_view word : std::span(words, static_cast<std::size_t>(count))) {
      if (word == "--") is_option = false;
      if (is_option && word == "--no-pager") uses_pager_ = false;
      else other_words.push_back(word.data());
    }
    return other_words;
  }
  int print_help(const CLI::App& of, const std::string& before) {
    const std::size_t width = help_width();
    help_layout_->column_width(help_layout::column_for(width));
    print_paged(wrapped(of.help(before), width), uses_pager_);
    return static_cast<int>(exit_code::ok);
  }
  /// Answers a command line without a verb.
  void write_verbs() {
    const std::size_t width = help_width();
    help_layout_->column_width(help_layout::column_for(width));
    std::string text =
        app_.get_description() + "\nUsage: ingot VERB [OPTIONS] FILE ...\n" +
        help_layout_->make_subcommands(&app_, CLI::AppFormatMode::Normal) +
        "\ningot VERB --help explains a verb, with examples; ingot --help shows the exit codes.\n";
    text = wrapped(text, width);
    write_error(text);
  }
  /// Runs `ingot help` and `ingot help VERB`, because users try these before they know --help.
  int help(const std::string& verb) {
    if (verb.empty()) return print_help(app_, "");
    if (!has_verb(verb)) throw failure(no_verb(verb), exit_code::usage);
    return print_help(*app_.get_subcommand(verb), "ingot");
  }
  [[nodiscard]] std::string no_verb(const std::string& word) {
    std::vector<std::string> verbs;
    for (const CLI::App* each : app_.get_subcommands([](const CLI::App*) { return true; }))
      verbs.push_back(each->get_name());
    const std::string meant = nearest(word, verbs);
    std::string advice = meant.empty() ? "" : "did you mean " + meant + "? ";
    if (meant.empty() && ::access(word.c_str(), F_OK) == 0)
      advice = "say what to do with the file, as ingot inspect " + word + "; ";
    return sentence("no verb " + quote(word), "", "", advice + "see ingot --help");
  }
  /// Returns a message if the first argument is neither a command nor a request for help. Otherwise
  /// returns empty text.
  [[nodiscard]] std::string wrong_first(const char* const* words) {
    const std::string first = words[1];
    if (!first.starts_with('-')) return has_verb(first) ? "" : no_verb(first);
    if (first == "-h" || first == "--help" || first == "-V" || first == "--version") return {};
    return sentence("option " + quote(first), "a verb before it", "", "see ingot --help");
  }

  [[nodiscard]] CLI::App* verb(const std::string& name, const std::string& what, const std::string& examples,
                               action act) {
    CLI::App* const verb_app = app_.add_subcommand(name, what);
    verb_app->group("Verbs");
    verb_app->footer("Examples:\n" + examples);
    verb_app->add_flag("--json", shared_.json, "Write JSON, for programs to read");
    verb_app
        ->add_option("--color", colour_,
                     "Colour the output: auto, always or never; auto colours only what goes to a terminal")
        ->type_name("WHEN")
        ->check(one_of({"auto", "always", "never"}))
        ->capture_default_str();
    verb_app->callback([this, act = std::move(act)] {
      shared_.colour = colour_ == "always"  ? colours::always
                       : colour_ == "never" ? colours::never
                                            : colours::automatic;
      shared_.from.as = format_named(from_).value_or(format::automatic);
      shared_.from.repeated_keys = duplicates_ == "first"  ? ingot::key_policy::first_wins
                                   : duplicates_ == "last" ? ingot::key_policy::last_wins
                                                           : ingot::key_policy::error;
      shared_.from.nearest_integers = big_integers_ == "nearest";
      act_ = act;
    });
    return verb_app;
  }
  void add_from(CLI::App* verb, const std::string& whose = "FILE", bool has_schema = false) {
    std::vector<std::string> forms{"auto", "ingot", "document", "archive",
                                   "json", "jsonl", "msgpack",  "cbor"};
    std::string what = "Format of " + whose +
                       ": auto, ingot, document, archive, json, jsonl, msgpack or cbor; auto looks at the "
                       "first bytes, then at the name";
    if (has_schema) {
      forms.emplace_back("protobuf");
      what += "; with --schema also protobuf";
    }
    verb->add_option("--from", from_, what)->type_name("FORMAT")->check(one_of(forms))->capture_default_str();
    verb->add_flag("--other-keys", shared_.from.spells_keys,
                   "MessagePack and CBOR: keys that are not text become text: 7, true, h'01ff'");
    verb->add_option("--duplicates", duplicates_,
                     "Member that counts if a key is repeated: first or last; error rejects the file")
        ->type_name("WHICH")
        ->check(one_of({"error", "first", "last"}))
        ->capture_default_str();
    verb->add_option("--big-integers", big_integers_,
                     "JSON integers beyond 64 bits: error rejects the file; nearest reads the nearest number")
        ->type_name("HOW")
        ->check(one_of({"error", "nearest"}))
        ->capture_default_str();
    verb->add_flag("--whole-reals", shared_.from.whole_reals,
                   "MessagePack and CBOR: numbers without a fraction, up to 2^53, are integers");
    verb->add_flag(
        "--comments", shared_.from.allows_comments,
        "JSON may have comments: // and /* */; files with names in .jsonc and .json5 may have them anyway");
    verb->add_flag("--trailing-commas", shared_.from.allows_commas,
                   "JSON may have a comma after the last element or member: [1, 2,]; .jsonc and .json5 may "
                   "have it anyway");
    verb->add_option("--max-depth", shared_.from.max_depth,
                     "Maximum depth of arrays and objects in JSON, MessagePack and CBOR")
        ->type_name("N")
        ->check(number_of(std::uint32_t{1}, std::uint32_t{1'000'000'000}))
        ->capture_default_str();
  }
  /// Adds `--from` of a command that shows the bytes of a file. Options of JSON, MessagePack and
  /// CBOR would have no effect there.
  void add_from_bytes(CLI::App* verb) {
    verb->add_option("--from", from_,
                     "Format of FILE: auto, ingot or document; auto looks at the first bytes")
        ->type_name("FORMAT")
        ->check(one_of({"auto", "ingot", "document"}))
        ->capture_default_str();
  }
  void add_unchecked(CLI::App* verb) {
    verb->add_flag("--unchecked", shared_.from.unchecked,
                   "Read a damaged file of ingot's as far as possible. Each damaged place is a warning, with "
                   "its offset, its path and the reason; the exit code is then 1");
  }
  static constexpr const char* about_spare_schema =
      "if the schema of a damaged FILE is damaged, too, take that of this file of the same type";
  /// Adds `--unchecked` and the option for the schema in place of a damaged one.
  void add_unchecked_and_schema(CLI::App* verb) {
    add_unchecked(verb);
    verb->add_option("--schema", shared_.from.spare_schema,
                     std::string("With --unchecked: ") + about_spare_schema)
        ->type_name("FILE")
        ->needs("--unchecked");
  }
  static void add_file(CLI::App* verb, std::string& to) {
    verb->add_option("FILE", to, "A file, or - for standard input")->required()->type_name("");
  }
  /// Adds the argument FILE of a command that writes to the file that it reads.
  static void add_changed_file(CLI::App* verb, std::string& to) {
    verb->add_option("FILE", to, "A file, or - from standard input to standard output")
        ->required()
        ->type_name("");
  }
  static CLI::Option* add_path(CLI::App* verb, std::string& to) {
    return verb->add_option("PATH", to, "Path of the value in FILE; . is the whole value")->type_name("");
  }

  void describe_inspect() {
    CLI::App* const verb_app = verb("inspect", "Shows the kind of a file, and its contents.",
                                    "  ingot inspect hero.ingot\n"
                                    "  ingot inspect hero.ingot equips[3]\n"
                                    "  ingot inspect --all world.ingot | less\n"
                                    "  ingot inspect --sizes world.ingot\n"
                                    "  curl -s example.org/doc | ingot inspect --from json -\n" +
                                        std::string(about_many_paths),
                                    [this](output& to) { return inspect(to, inspect_, shared_); });
    add_file(verb_app, inspect_.file);
    CLI::Option* const where = add_path(verb_app, inspect_.path);
    verb_app->add_option("--depth", inspect_.depth, "Maximum number of levels of nested values to show")
        ->type_name("N")
        ->check(number_of(std::size_t{0}, std::numeric_limits<std::size_t>::max()))
        ->capture_default_str();
    verb_app->add_flag("--all", inspect_.all,
                       "Show everything: all levels, all parts of a value, all of a text");
    verb_app
        ->add_flag("--sizes", inspect_.sizes,
                   "Also show how many bytes each field takes, and its share of the file; stats shows more")
        ->excludes(where);
    add_from(verb_app);
    add_unchecked_and_schema(verb_app);
  }
  void describe_get() {
    CLI::App* const verb_app = verb("get", "Writes one value: text as it is, everything else as JSON.",
                                    "  ingot get hero.ingot name\n"
                                    "  ingot get hero.ingot 'items[\"55884\"].count'\n"
                                    "  ingot get --json hero.ingot /equips/3\n"
                                    "  ingot get hero.ingot equips[].level\n" +
                                        std::string(about_many_paths),
                                    [this](output& to) { return get(to, get_, shared_); });
    add_file(verb_app, get_.file);
    add_path(verb_app, get_.path)->required();
    add_from(verb_app);
    add_unchecked_and_schema(verb_app);
  }
  void describe_validate() {
    CLI::App* const verb_app = verb("validate", "Validates files: checksums first, then every byte.",
                                    "  ingot validate saves/*.ingot\n"
                                    "  ingot validate --quiet upload.ingot || rm upload.ingot",
                                    [this](output& to) { return validate(to, validate_, shared_); });
    verb_app->add_option("FILE", validate_.files, "Files, or - for standard input")
        ->required()
        ->type_name("");
    verb_app->add_flag("--quiet", validate_.quiet, "Write nothing; the exit code is the answer");
    add_from(verb_app, "each FILE");
  }
  void describe_schema() {
    CLI::App* const verb_app = verb("schema", "Writes the description of the type in a file.",
                                    "  ingot schema hero.ingot\n"
                                    "  ingot schema --json hero.ingot",
                                    [this](output& to) { return schema(to, schema_, shared_); });
    add_file(verb_app, schema_.file);
    verb_app->add_option("--as", schema_.as, "Form of the description: text, cpp, json-schema or proto")
        ->type_name("FORM")
        ->check(one_of({"text", "cpp", "json-schema", "proto"}))
        ->capture_default_str();
  }

  void describe_set() {
    CLI::App* const verb_app = verb("set", "Changes one value in a file, completely or not at all.",
                                    "  ingot set order.ingot customer.name '\"Ada\"'\n"
                                    "  ingot set --text order.ingot customer.name Ada\n"
                                    "  ingot set --add order.ingot customer.city '\"Ulm\"'\n"
                                    "  ingot set hero.ingot equips[3].level 12\n" +
                                        std::string(about_paths),
                                    [this](output& to) { return set(to, set_, shared_); });
    add_changed_file(verb_app, set_.file);
    add_path(verb_app, set_.path)->required();
    verb_app->add_option("VALUE", set_.value, "The new value, as JSON")->required()->type_name("");
    verb_app->add_flag("--text", set_.is_text, "VALUE is text, not JSON");
    verb_app->add_flag("--add", set_.adds_names,
                       "PATH may name members that the objects of a document do not have: they are added. "
                       "New elements of arrays and new entries of typed maps need no option");
    add_from(verb_app);
  }
  void describe_convert() {
    CLI::App* const verb_app = verb("convert", "Writes the contents of a file in another format.",
                                    "  ingot convert hero.ingot hero.json\n"
                                    "  ingot convert --to jsonl events.log - | grep error\n"
                                    "  ingot convert order.json order.ingot\n"
                                    "  ingot convert --to packed --schema packed.ingot hero.json new.ingot\n"
                                    "  ingot convert --schema packed.ingot hero.pb hero.json\n"
                                    "  ingot convert --compress zstd:9 --columns order.json order.ingot",
                                    [this](output& to) {
                                      convert_.as = format_named(to_).value_or(format::automatic);
                                      return convert(to, convert_, shared_);
                                    });
    add_file(verb_app, convert_.from);
    verb_app->add_option("OUT", convert_.to, "A file, or - for standard output")->required()->type_name("");
    add_from(verb_app, "FILE", true);
    add_unchecked(verb_app);
    verb_app
        ->add_option(
            "--to", to_,
            "Format of OUT: auto, which looks at its name; json, jsonl, msgpack, cbor, protobuf, "
            "archive or document; or one of ingot's files: packed, compact, live, or ingot, which contains "
            "a document")
        ->type_name("FORMAT")
        ->check(one_of({"auto", "ingot", "packed", "compact", "live", "document", "archive", "json", "jsonl",
                        "msgpack", "cbor", "protobuf"}))
        ->capture_default_str();
    verb_app
        ->add_option("--schema", convert_.schema,
                     std::string("A file with the schema for writing packed, compact, live and protobuf, and "
                                 "for reading protobuf; with --unchecked: ") +
                         about_spare_schema)
        ->type_name("FILE");
    verb_app
        ->add_option(
            "--compress", convert_.compress,
            "Compression of one of ingot's files: none, lz4 or zstd, or with a level, lz4:0 to lz4:12 or "
            "zstd:-7 to zstd:22. Without this option, as in FILE")
        ->type_name("CODEC")
        ->check(suggested({"none", "lz4", "zstd"}));
    auto* const columns =
        verb_app->add_flag("--columns", convert_.columns,
                           "Split the records of a packed value, a block or a document into "
                           "columns before they are compressed. "
                           "Without this option and --rows, as in FILE");
    verb_app->add_flag("--rows", convert_.rows, "No columns, even if FILE has columns")->excludes(columns);
    verb_app
        ->add_option("--indent", convert_.indent, "Spaces for each level of JSON; 0 writes it on one line")
        ->type_name("N")
        ->check(number_of(0, 16))
        ->capture_default_str();
    verb_app->add_flag(
        "--reduce", convert_.reduce,
        "If OUT can't represent a value, write the nearest value instead of an error: NaN and infinities "
        "become text, bytes become Base64, ill-formed UTF-8 becomes U+FFFD; missing members become zero or "
        "empty, and members that the schema lacks are omitted; values that only MessagePack or CBOR has "
        "become null, bytes or numbers");
    verb_app
        ->add_flag(
            "--wrap", convert_.wrap,
            "Keep values that only MessagePack or CBOR has, as objects with keys such as $tag; write such "
            "objects to MessagePack or CBOR as these values")
        ->excludes("--reduce");
    verb_app->add_flag(
        "--integer-keys", convert_.integer_keys,
        "To MessagePack and CBOR: keys that are the text of an integer are written as integers");
    verb_app->add_flag(
        "--wide-reals", convert_.wide_reals,
        "To MessagePack and CBOR: 8 bytes for each floating-point number, even if fewer can hold it");
    verb_app->add_flag("--flag-names", convert_.flag_names,
                       "To JSON: combinations of flags are arrays of names, not numbers");
  }
  void describe_diff() {
    CLI::App* const verb_app = verb("diff", "Shows the differences between two files, by path.",
                                    "  ingot diff before.ingot after.ingot\n"
                                    "  ingot diff hero.ingot hero.json\n"
                                    "  ingot diff --schema old.ingot new.ingot",
                                    [this](output& to) { return diff(to, diff_, shared_); });
    verb_app->add_option("A", diff_.before, "A file, or - for standard input")->required()->type_name("");
    verb_app->add_option("B", diff_.after, "The file to compare it with")->required()->type_name("");
    verb_app->add_flag("--schema", diff_.schema,
                       "Compare the types instead: can B's type read files of A's type?");
    add_from(verb_app, "each of them");
  }
  void describe_annotate() {
    CLI::App* const verb_app =
        verb("annotate", "Lists every byte of a file: its position, its purpose and its value.",
             "  ingot annotate hero.ingot\n"
             "  ingot annotate --range 0x40..0x80 hero.ingot\n"
             "  ingot annotate --all world.ingot | less\n"
             "  ingot annotate --json hero.ingot | jq '.pieces[] | select(.use == \"hole\")'",
             [this](output& to) { return annotate(to, annotate_, shared_); });
    add_file(verb_app, annotate_.file);
    verb_app->add_option("--range", annotate_.range, about_range)->type_name("FROM..TO");
    verb_app->add_flag("--all", annotate_.all, "Show every line, and every byte");
    add_from_bytes(verb_app);
    add_unchecked_and_schema(verb_app);
  }
  void describe_layout() {
    CLI::App* const verb_app =
        verb("layout", "Draws the use of every byte of a file, as a page for a browser.",
             "  ingot layout hero.ingot --html hero.html\n"
             "  ingot layout worn.ingot --compare compacted.ingot --html both.html\n"
             "  ingot layout world.ingot --range 0x10000..0x20000 --html part.html",
             [this](output& to) { return layout(to, layout_, shared_); });
    add_file(verb_app, layout_.file);
    verb_app->add_option("--html", layout_.html, "The page to write, or - for standard output")
        ->required()
        ->type_name("OUT");
    verb_app
        ->add_option("--compare", layout_.compare,
                     "Draw this file beside FILE. Without this option, a document or block with holes is "
                     "drawn beside the file that compact would write")
        ->type_name("FILE");
    verb_app
        ->add_option("--range", layout_.range, std::string(about_range) + ". Shorter parts show more detail")
        ->type_name("FROM..TO");
    add_from_bytes(verb_app);
    add_unchecked_and_schema(verb_app);
  }
  void describe_compact() {
    CLI::App* const verb_app =
        verb("compact",
             "Rewrites the file of a document or a live block without holes, so that equal values are equal "
             "bytes.",
             "  ingot compact order.ingot", [this](output& to) { return compact(to, compact_, shared_); });
    add_changed_file(verb_app, compact_.file);
  }
  void describe_recover() {
    CLI::App* const verb_app = verb(
        "recover", "Checks a log, or a file that is edited in place, after a crash; repairs it with --cut.",
        "  ingot recover events.log\n"
        "  ingot recover --cut events.log",
        [this](output& to) { return recover(to, recover_, shared_); });
    add_file(verb_app, recover_.file);
    verb_app->add_flag("--cut", recover_.cut,
                       "Repair: cut off the bytes after the last whole record, so that the log can be "
                       "appended to; close a file that is edited in place, and cut off its unused bytes");
  }
  void describe_stats() {
    CLI::App* const verb_app = verb("stats", "Counts bytes and values, by field.",
                                    "  ingot stats order.ingot\n  ingot stats --json world.ingot",
                                    [this](output& to) { return stats(to, stats_, shared_); });
    add_file(verb_app, stats_.file);
    verb_app->add_flag("--all", stats_.all, "Show all fields, not only the 24 largest");
    add_from(verb_app);
    add_unchecked_and_schema(verb_app);
  }

  [[nodiscard]] bool has_verb(const std::string& name) {
    return !app_.get_subcommands([&](const CLI::App* each) { return each->get_name() == name; }).empty();
  }
  [[nodiscard]] CLI::App* in_use() {
    const auto used = app_.get_subcommands();
    return used.empty() ? &app_ : used.front();
  }
  CLI::App app_;
  std::shared_ptr<help_layout> help_layout_ = std::make_shared<help_layout>();
  bool uses_pager_ = true;
  bool has_no_pager_ = false; ///< not set: `without_pager_option` takes the option first
  shared_options shared_;
  std::string colour_ = "auto";
  std::string from_ = "auto";
  std::string duplicates_ = "error";
  std::string big_integers_ = "error";
  inspect_options inspect_;
  get_options get_;
  validate_options validate_;
  schema_options schema_;
  set_options set_;
  convert_options convert_;
  std::string to_ = "auto";
  diff_options diff_;
  annotate_options annotate_;
  layout_options layout_;
  compact_options compact_;
  recover_options recover_;
  stats_options stats_;
  std::string manuals_;
  action act_;
};

} // namespace

int run(int count, const char* const* words) {
  ensure_standard_streams();
  const std::span<const char* const> all(words, static_cast<std::size_t>(count));
  const auto end = std::ranges::find(all, std::string_view("--"));
  if (std::find(all.begin(), end, std::string_view("--json")) != end) print_errors_as_json();
  const auto end_with = [](const failure& err) {
    complain(err);
    return static_cast<int>(err.code());
  };
  try {
    return command_line().run(count, words);
  } catch (const failure& err) {
    return end_with(err);
  } catch (const std::bad_alloc&) {
    return end_with(failure("out of memory; free memory, or read less of the file"));
    // The tool's own code throws only `failure`; all other exceptions are from the standard
    // library.
  } catch (const std::exception& why) {
    return end_with(failure(why.what()));
  }
}

} // namespace tool

// man_pages.cpp is included here, so that CLI11 is compiled once.
#include "man_pages.cpp" // NOLINT(bugprone-suspicious-include)
