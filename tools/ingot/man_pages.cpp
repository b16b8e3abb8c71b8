// SPDX-License-Identifier: Apache-2.0
#include "man_pages.hpp"

#include "cli_support.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

namespace {

struct option {
  std::vector<std::string> names; ///< "--json", "-h"; for a positional argument, its name
  std::string type;               ///< "FORMAT"; empty for flags
  std::vector<std::string> choices;
  std::string what;
  bool is_positional = false;
  bool is_required = false;
  bool repeats = false;
};
struct verb {
  std::string name;
  std::string what;
  std::string examples;
  std::vector<option> options;
};

[[nodiscard]] option described(const CLI::Option& of) {
  option described_option;
  described_option.is_positional = of.get_positional();
  described_option.is_required = of.get_required();
  described_option.repeats = of.get_expected_max() > 1;
  described_option.what = of.get_description();
  std::string type = of.get_type_name(); // "FORMAT:{auto,json}"
  const auto brace = type.find(":{");
  if (brace != std::string::npos) {
    std::string list = type.substr(brace + 2, type.size() - brace - 3);
    type.resize(brace);
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      described_option.choices.push_back(list.substr(at, end - at));
      at = end + 1;
    }
  } else if (const auto colon = type.find(':'); colon != std::string::npos) {
    type.resize(colon); // a validator without a list
  }
  if (described_option.is_positional) {
    described_option.names.push_back(of.get_name(true));
    return described_option;
  }
  for (const std::string& each : of.get_snames()) described_option.names.push_back("-" + each);
  for (const std::string& each : of.get_lnames()) described_option.names.push_back("--" + each);
  if (of.get_items_expected_max() != 0) described_option.type = type.empty() ? "VALUE" : type;
  return described_option;
}
[[nodiscard]] std::vector<option> options_of(const CLI::App& of) {
  std::vector<option> all_options;
  for (const CLI::Option* each : of.get_options()) {
    if (each->get_positional() || !each->get_group().empty()) all_options.push_back(described(*each));
  }
  return all_options;
}
[[nodiscard]] std::vector<verb> verbs_of(const CLI::App& of) {
  std::vector<verb> verbs;
  for (const CLI::App* each : of.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back({each->get_name(), each->get_description(), each->get_footer(), options_of(*each)});
  return verbs;
}

/// Writes a whole file, or ends the tool.
void put_file(const std::filesystem::path& name, const std::string& text) {
  std::ofstream to(name, std::ios::binary);
  to << text;
  to.close();
  if (!to) throw failure("no manual could be written to " + name.string());
}

// Manual pages.

/// Escapes text for roff.
[[nodiscard]] std::string roff(std::string_view text) {
  std::string text_out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) text_out += "\\&";
    if (c == '\\') text_out += "\\e";
    else if (c == '-') text_out += "\\-";
    else if (c == '\'') text_out += "\\(aq";
    else text_out += c;
    at_start = c == '\n';
  }
  return text_out;
}
[[nodiscard]] std::string upper(std::string_view text) {
  std::string capitals;
  for (const char c : text) capitals += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return capitals;
}
[[nodiscard]] std::string head(const std::string& page, const std::string& version) {
  return ".TH " + upper(roff(page)) + " 1 \"\" \"ingot " + roff(version) + "\" \"User Commands\"\n";
}
[[nodiscard]] std::string exit_section(const CLI::App& of) {
  const std::string footer = of.get_footer();
  const auto at = footer.find("Exit codes:");
  return at == std::string::npos ? std::string() : ".SH EXIT STATUS\n" + roff(footer.substr(at)) + "\n";
}
[[nodiscard]] std::string options_section(const std::vector<option>& all) {
  std::string section = ".SH OPTIONS\n";
  for (const option& each : all) {
    section += ".TP\n";
    std::string names;
    for (const std::string& name : each.names)
      names += (names.empty() ? "" : ", ") +
               (each.is_positional ? "\\fI" + roff(name) + "\\fR" : "\\fB" + roff(name) + "\\fR");
    if (!each.type.empty()) names += " \\fI" + roff(each.type) + "\\fR";
    section += names + "\n" + roff(each.what) + "\n";
  }
  return section;
}
[[nodiscard]] std::string synopsis(const verb& of) {
  std::string synopsis_line = ".B ingot " + roff(of.name) + "\n[\\fIoptions\\fR]";
  for (const option& each : of.options) {
    if (!each.is_positional) continue;
    const std::string name = "\\fI" + roff(each.names.front()) + "\\fR" + (each.repeats ? " ..." : "");
    synopsis_line += each.is_required ? " " + name : " [" + name + "]";
  }
  return synopsis_line + "\n";
}
[[nodiscard]] std::string examples_section(std::string_view footer) {
  constexpr std::string_view begin = "Examples:\n";
  if (!footer.starts_with(begin)) return {};
  footer.remove_prefix(begin.size());
  std::string lines;
  std::string rest;
  while (!footer.empty()) {
    const std::string_view line = footer.substr(0, footer.find('\n'));
    footer.remove_prefix(std::min(footer.size(), line.size() + 1));
    if (line.starts_with("  ")) lines += roff(line.substr(2)) + "\n";
    else rest += roff(line) + "\n";
  }
  return ".SH EXAMPLES\n.nf\n" + lines + ".fi\n" + (rest.empty() ? "" : ".PP\n" + rest);
}
[[nodiscard]] std::string without_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}
[[nodiscard]] std::string verb_page(const CLI::App& app, const verb& of, const std::string& version) {
  const std::string page = "ingot-" + of.name;
  return head(page, version) + ".SH NAME\n" + roff(page) + " \\- " + roff(without_stop(of.what)) +
         "\n.SH SYNOPSIS\n" + synopsis(of) + ".SH DESCRIPTION\n" + roff(of.what) + "\n" +
         options_section(of.options) + examples_section(of.examples) + exit_section(app) +
         ".SH SEE ALSO\n.BR ingot (1)\n";
}
[[nodiscard]] std::string main_page(const CLI::App& app, const std::vector<verb>& verbs,
                                    const std::string& version) {
  const std::string footer = app.get_footer();
  std::string page_text =
      head("ingot", version) + ".SH NAME\ningot \\- " + roff(without_stop(app.get_description())) +
      "\n.SH SYNOPSIS\n.B ingot\n\\fIverb\\fR [\\fIoptions\\fR] \\fIfile\\fR ...\n.SH DESCRIPTION\n" +
      roff(app.get_description()) + "\n" + roff(footer.substr(0, footer.find('\n'))) + "\n.SH VERBS\n";
  for (const verb& each : verbs)
    page_text += ".TP\n\\fBingot " + roff(each.name) + "\\fR\n" + roff(each.what) + "\n";
  page_text += options_section(options_of(app)) + exit_section(app) + ".SH SEE ALSO\n";
  for (const verb& each : verbs)
    page_text += ".BR ingot\\-" + roff(each.name) + " (1)" + (&each == &verbs.back() ? "\n" : ",\n");
  return page_text;
}

// Completions.

[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view by) {
  std::string joined_words;
  for (const std::string& each : words) joined_words.append(joined_words.empty() ? "" : by).append(each);
  return joined_words;
}
[[nodiscard]] std::vector<std::string> names_of(const std::vector<option>& all) {
  std::vector<std::string> all_names;
  for (const option& each : all) {
    if (!each.is_positional) all_names.insert(all_names.end(), each.names.begin(), each.names.end());
  }
  return all_names;
}
/// Returns true if the argument is a file's name. Any other argument is a word of a list, or a
/// value that completion cannot guess.
[[nodiscard]] bool takes_file(const option& of) {
  return of.type == "FILE" || of.type == "OUT" ||
         (of.is_positional && (of.names.front() == "FILE" || of.names.front() == "OUT" ||
                               of.names.front() == "A" || of.names.front() == "B"));
}
/// Returns true if the verb has an argument that is a path in a file.
[[nodiscard]] bool takes_path(const verb& of) {
  return std::ranges::any_of(
      of.options, [](const option& each) { return each.is_positional && each.names.front() == "PATH"; });
}
/// Returns the names of the options that take a value, of the verbs that take a path.
[[nodiscard]] std::vector<std::string> value_options(const std::vector<verb>& verbs) {
  std::vector<std::string> all_names;
  for (const verb& each : verbs) {
    if (!takes_path(each)) continue;
    for (const option& one : each.options) {
      if (one.is_positional || one.type.empty()) continue;
      all_names.insert(all_names.end(), one.names.begin(), one.names.end());
    }
  }
  std::ranges::sort(all_names);
  all_names.erase(std::ranges::unique(all_names).begin(), all_names.end());
  return all_names;
}
[[nodiscard]] std::vector<std::string> path_verbs(const std::vector<verb>& verbs) {
  std::vector<std::string> names;
  for (const verb& each : verbs) {
    if (takes_path(each)) names.push_back(each.name);
  }
  return names;
}
[[nodiscard]] std::string for_bash(const CLI::App& app, const std::vector<verb>& verbs) {
  std::vector<std::string> names;
  for (const verb& each : verbs) names.push_back(each.name);
  std::string script =
      "# bash completion for ingot; made by ingot --write-manuals\n"
      "# Completes a path in the file that is on the command line. Returns 1 if the word is no path.\n"
      "_ingot_path() {\n"
      "  local i file= format=auto count=0\n"
      "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
      "    case \"${COMP_WORDS[i]}\" in\n      " +
      joined(value_options(verbs), "|") +
      ")\n"
      "        [ \"${COMP_WORDS[i + 1]}\" = '=' ] && i=$((i + 1))\n"
      "        case \"${COMP_WORDS[i]} ${COMP_WORDS[i - 1]}\" in\n"
      "          '--from '*|'= --from') format=${COMP_WORDS[i + 1]} ;;\n"
      "        esac\n"
      "        i=$((i + 1)) ;;\n"
      "      -?*) ;;\n"
      "      *) [ \"$count\" -eq 0 ] && file=${COMP_WORDS[i]}; count=$((count + 1)) ;;\n"
      "    esac\n"
      "  done\n"
      "  [ \"$count\" -eq 1 ] || return 1\n"
      "  mapfile -t COMPREPLY < <(\"${COMP_WORDS[0]}\" --complete-path bash \"$file\" \"$word\" \"$format\" "
      "2>/dev/null)\n"
      "  [ \"${#COMPREPLY[@]}\" -gt 1 ] && compopt -o nospace 2>/dev/null\n"
      "  return 0\n"
      "}\n"
      "_ingot() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n"
      "  # bash splits --to=json at the equals sign\n"
      "  if [ \"$word\" = '=' ]; then word=\n"
      "  elif [ \"$before\" = '=' ]; then before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '" +
      joined(names, " ") + " " + joined(names_of(options_of(app)), " ") +
      "' -- \"$word\"))\n"
      "    return\n  fi\n"
      "  case \"$verb $before\" in\n";
  for (const verb& each : verbs) {
    for (const option& one : each.options) {
      if (one.type.empty() || (one.choices.empty() && takes_file(one))) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : one.names) patterns.push_back("'" + each.name + " " + name + "'");
      script += "    " + joined(patterns, "|") + ") COMPREPLY=($(compgen -W '" + joined(one.choices, " ") +
                "' -- \"$word\")); return ;;\n";
    }
  }
  script += "  esac\n  case \"$word\" in\n    -*)\n      case \"$verb\" in\n";
  for (const verb& each : verbs)
    script += "        " + each.name + ") COMPREPLY=($(compgen -W '" + joined(names_of(each.options), " ") +
              "' -- \"$word\")) ;;\n";
  // Readline completes file names, because it handles blanks, quotation marks and the home folder.
  return script + "      esac ;;\n    *)\n      case \"$verb\" in\n        " +
         joined(path_verbs(verbs), "|") +
         ") _ingot_path && return ;;\n      esac\n"
         "      compopt -o default -o bashdefault 2>/dev/null ;;\n  esac\n}\n"
         "complete -F _ingot ingot\n";
}
/// Returns text in single quotation marks. Escapes characters that are special in zsh's
/// descriptions.
[[nodiscard]] std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') escaped += "'\\''";
    else if (c == '[' || c == ']' || c == ':') escaped.append(1, '\\').append(1, c);
    else escaped += c;
  }
  return escaped;
}
[[nodiscard]] std::string zsh_action(const option& of) {
  if (!of.choices.empty()) return "(" + joined(of.choices, " ") + ")";
  if (of.is_positional && of.names.front() == "PATH") return "_ingot_paths";
  return takes_file(of) ? "_files" : " ";
}
[[nodiscard]] std::string for_zsh(const std::vector<verb>& verbs) {
  std::string script = "#compdef ingot\n# zsh completion for ingot; made by ingot --write-manuals\n"
                       "# Completes a path in the file that is on the command line.\n"
                       "_ingot_paths() {\n"
                       "  local -a found\n"
                       "  local i file= format=auto\n"
                       "  for ((i = 2; i < CURRENT; i++)); do\n"
                       "    case $words[i] in\n"
                       "      --from=*) format=${words[i]#*=} ;;\n"
                       "      --from) format=$words[++i] ;;\n      " +
                       joined(value_options(verbs), "|") +
                       ") (( i++ )) ;;\n"
                       "      -?*) ;;\n"
                       "      *) file=${(Q)${~words[i]}}; break ;;\n"
                       "    esac\n"
                       "  done\n"
                       "  found=(${(f)\"$(ingot --complete-path zsh \"$file\" \"${(Q)PREFIX}\" $format "
                       "2>/dev/null)\"})\n"
                       "  if (( $#found > 1 )); then compadd -S '' -- $found; else compadd -- $found; fi\n"
                       "}\n"
                       "_ingot() {\n  local -a verbs\n  verbs=(\n";
  for (const verb& each : verbs)
    script += "    '" + each.name + ":" + zsh_text(without_stop(each.what)) + "'\n";
  script +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    _arguments '--help[Print the help]' "
      "'--version[Print the version]' '--no-pager[Print help without a pager]'\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n";
  for (const verb& each : verbs) {
    script += "    " + each.name + ")\n      _arguments";
    for (const option& one : each.options) {
      if (one.is_positional) {
        script += " \\\n        '" + std::string(one.repeats ? "*" : "") + ":" + one.names.front() + ":" +
                  zsh_action(one) + "'";
        continue;
      }
      for (const std::string& name : one.names) {
        // "--to=" takes its value after the equals sign or as the next word
        const bool has_value = !one.type.empty() && name.starts_with("--");
        script += " \\\n        '" + name + (has_value ? "=" : "") + "[" + zsh_text(one.what) + "]";
        if (!one.type.empty()) script += ":" + one.type + ":" + zsh_action(one);
        script += "'";
      }
    }
    script += " ;;\n";
  }
  return script + "  esac\n}\n_ingot \"$@\"\n";
}
[[nodiscard]] std::string for_fish(const std::vector<verb>& verbs) {
  const auto plain = [](std::string_view text) {
    std::string escaped;
    for (const char c : text) {
      if (c == '\'' || c == '\\') escaped += '\\';
      escaped += c;
    }
    return escaped;
  };
  std::string script = "# fish completion for ingot; made by ingot --write-manuals\n"
                       "complete -c ingot -n __fish_use_subcommand -l version -d 'Print the version' -f\n";
  for (const verb& each : verbs)
    script += "complete -c ingot -n __fish_use_subcommand -f -a " + each.name + " -d '" +
              plain(without_stop(each.what)) + "'\n";
  for (const verb& each : verbs) {
    for (const option& one : each.options) {
      if (one.is_positional) continue;
      script += "complete -c ingot -n '__fish_seen_subcommand_from " + each.name + "'";
      for (const std::string& name : one.names)
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      script += " -d '" + plain(one.what) + "'";
      if (!one.type.empty()) {
        script += takes_file(one) && one.choices.empty() ? " -r -F" : " -x";
        if (!one.choices.empty()) script += " -a '" + joined(one.choices, " ") + "'";
      }
      script += "\n";
    }
  }
  return script;
}

} // namespace

void write_manuals(const CLI::App& of, const std::string& folder, const std::string& version) {
  const std::filesystem::path to(folder);
  std::filesystem::create_directories(to / "man1");
  const std::vector<verb> verbs = verbs_of(of);
  put_file(to / "man1" / "ingot.1", main_page(of, verbs, version));
  for (const verb& each : verbs)
    put_file(to / "man1" / ("ingot-" + each.name + ".1"), verb_page(of, each, version));
  put_file(to / "ingot.bash", for_bash(of, verbs));
  put_file(to / "_ingot", for_zsh(verbs));
  put_file(to / "ingot.fish", for_fish(verbs));
}

} // namespace tool
