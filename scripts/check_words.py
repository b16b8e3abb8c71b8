#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that comments, pages, sentences and names are in plain words (`scripts/lint words`).

  word          a comment, a page or a string has a word of WORDS
  opening       a comment starts with What, Who, Of, Where or How: start with the subject or a verb
  identifier    a part of a C++ name is a word of PARTS; a name counts once in a file
  width         a line with a comment is wider than 100 columns
  undocumented  a public declaration has no doc comment (///)

Sentences of more than 25 words are counted and printed, but never an error.

scripts/words.baseline lists how many offences each file has today. A file with more fails, and
so does a file with fewer, so that the baseline only shrinks. --update-baseline writes it,
and fails if a file has more. A new file may have the offences that other files lost, so that code
and files can move.

  check_words.py                     compares the tree with the baseline
  check_words.py --update-baseline   writes the baseline; with --force also if a file got more
  check_words.py --list [PATH...]    prints the offences of files, folders, or the whole tree
  check_words.py --self-test         plants offences against each rule
"""
import pathlib
import re
import sys
import tempfile

from check_includes import LICENCE, tracked

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ["word", "opening", "identifier", "width", "undocumented"]
WIDEST = 100
LONGEST = 25

# Words that need a second reading. `most`, `way` and `place` are plain English in a sentence, so
# the lint rejects them in names only (PARTS).
WORDS = re.compile(r"\b(who|whoever|nobody|somebody|anybody|told|prov(?:e[sdrn]?|ing|able)|proofs?|anew|behind|strangers?|spell(?:s|ed|ings?|er|ers)?"
                   r"|ceilings?|rooms?|of\s+which|goes\s+on|as\s+many\s+as)\b", re.IGNORECASE)
# The slogan of README.md may keep its "prove".
SLOGAN = "Receive bytes, prove them safe, edit and grow them in place"
# Names of other projects that contain a word of the list.
QUOTED = re.compile(r"waterproof|proofread")
OPENINGS = re.compile(r"(What|Who|Of|Where|How)\b", re.IGNORECASE)

PARTS = {"told", "asked", "heard", "most", "least", "prove", "proved", "proves", "prover", "proof", "proofs", "refuse", "refuses",
         "refused", "spelling", "spellings", "behind", "way", "ways", "place", "places", "room", "rooms", "made", "kept", "given", "lot", "lots"}
# Terms of the standard library: std::in_place, std::compare_three_way, std::int_least8_t.
TERMS = re.compile(r"in_place|three_way|u?int_least\d+_t")
# A name that is the text of an error message: a sentence, so the words of sentences apply.
SENTENCE = re.compile(r"[a-z0-9]+(?:_+[a-z0-9]+){8,}$")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

# Members of test records are data: goldens hold their names.
NAMES_ARE_DATA = ("tests/zoo/",)
# Dated records, which are not rewritten.
EXEMPT = "notes/"
# This file must contain the words.
NAMES_WORDS = "scripts/check_words.py"

# Documented members of the standard library's containers, strings, optionals and iterators.
STANDARD = set("""
value_type size_type difference_type reference const_reference pointer const_pointer iterator const_iterator reverse_iterator
const_reverse_iterator key_type mapped_type key_compare value_compare hasher key_equal allocator_type local_iterator element_type
iterator_category iterator_concept traits_type node_type error_type unexpected_type is_transparent
begin end cbegin cend rbegin rend crbegin crend size empty max_size capacity reserve resize shrink_to_fit clear data front back at
push_back pop_back push_front pop_front emplace emplace_back emplace_front insert insert_or_assign try_emplace erase extract merge swap
assign append substr compare find rfind find_first_of find_last_of find_first_not_of find_last_not_of contains starts_with ends_with
count lower_bound upper_bound equal_range key_comp value_comp hash_function key_eq load_factor max_load_factor rehash bucket_count
first last subspan size_bytes has_value value value_or error and_then or_else transform transform_error emplace reset get release
get_allocator c_str length copy replace fill splice remove remove_if unique reverse sort base set flip test all any none to_ulong
to_ullong to_string index valueless_by_exception visit npos what message name category
""".split())

COMMENT_OR_STRING = re.compile(
    r"""(?P<line>//(?:[^\n\\]|\\.)*)|(?P<block>/\*.*?\*/)"""
    r"""|(?P<raw>R"(?P<tag>[^(\s"]*)\(.*?\)(?P=tag)")|(?P<string>"(?:[^"\\\n]|\\.)*")"""
    r"""|(?P<char>'(?:[^'\\\n]|\\.)*')|(?P<number>\b\d(?:'?[\w.])*)""", re.DOTALL)
SCRIPT_TEXT = re.compile(
    r'''(?P<doc>(?<![\w])[rbfRBF]{0,2}(?:""".*?"""|\'\'\'.*?\'\'\'))'''
    r'''|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')'''
    r'''|(?P<line>(?:(?<=\s)|(?<=^))\#[^\n]*)''',
    re.DOTALL | re.MULTILINE)


class offences:
    """Offences of one file, as (line, rule, sentence), and the number of its long sentences."""

    def __init__(self):
        self.found, self.long_sentences = [], 0

    def add(self, line, rule, sentence):
        self.found.append((line, rule, sentence))

    def words(self, line, text):
        if "\n" not in text and not WORDS.search(text):
            return
        text = text.replace(SLOGAN, " " * len(SLOGAN))
        for found in WORDS.finditer(QUOTED.sub("", text)):
            self.add(line + text.count("\n", 0, found.start()), "word", f'"{" ".join(found.group().split())}"')

    def sentences(self, text):
        for sentence in re.split(r"(?<=[.!?])\s+|\n\s*\n", text):
            self.long_sentences += len(sentence.split()) > LONGEST


def without_code(text):
    """Returns the text of a comment or page without its code in backticks."""
    return re.sub(r"`[^`\n]*`", "` `", text)


def check_comment(to, line, lines):
    """Checks one comment, given by its lines without the comment marks."""
    text = "\n".join(lines)
    plain = without_code(text)
    to.words(line, plain)
    start = plain.lstrip("-*<!/ \t\n")
    if OPENINGS.match(start):
        to.add(line, "opening", f"starts with {start.split()[0]}: start with the subject or a verb")
    to.sentences(plain)


def check_string(to, line, text):
    """Checks a string that is a sentence. A string of one word is data or a name."""
    if " " in text.strip():
        to.words(line, without_code(text))


def check_comments(to, text, pattern, mark):
    """Checks comments and strings of a program and returns the text without them.

    `mark` is the character of a line comment.
    """
    blanked, end = [], 0
    block, block_line, block_end, block_alone = [], 0, -1, False
    widths, line_of, counted = set(), 1, 0

    def close():
        if block:
            check_comment(to, block_line, block)
            block.clear()

    for found in pattern.finditer(text):
        kind = found.lastgroup if found.lastgroup != "tag" else "raw"
        if kind == "number":
            continue
        start = found.start()
        if kind == "doc" and text[text.rfind("\n", 0, start) + 1 : start].strip():
            kind = "string"  # a value
        line_of += text.count("\n", counted, start)
        counted = start
        body = found.group()
        blanked += [text[end:start], " " if kind in ("line", "block") else '""', "\n" * body.count("\n")]
        end = found.end()
        if kind == "line":
            line_start = text.rfind("\n", 0, start) + 1
            alone = not text[line_start:start].strip()
            content = body.lstrip(mark + "!<").strip()
            # A block is a run of comment lines, except for the licence and the shell's line.
            if LICENCE in body or body.startswith("#!"):
                close()
                continue
            if not (block and alone and block_alone and line_of == block_end + 1):
                close()
                block_line, block_alone = line_of, alone
            block.append(content)
            block_end = line_of
            # A compiler prints the line of a deleted function, so its sentence stays on that line.
            if end - line_start > WIDEST and not body.startswith("// ingot: "):
                widths.add(line_of)
        elif kind in ("block", "doc"):
            close()
            at = line_of
            rows = body.strip("/*").split("\n") if kind == "block" else body.strip("rbfRBF").strip("\"'").split("\n")
            check_comment(to, at, [row.strip(" *") if kind == "block" else row.strip() for row in rows])
            for number, row in enumerate(text[text.rfind("\n", 0, start) + 1 : end].split("\n")):
                if len(row) > WIDEST:
                    widths.add(at + number)
        elif kind in ("string", "raw"):
            check_string(to, line_of, body)
    close()
    for number in sorted(widths):
        to.add(number, "width", f"a comment is wider than {WIDEST} columns")
    return "".join(blanked) + text[end:]


known = {}


def listed_part(name):
    """Returns the first part of a name that is in the list, or None."""
    if name not in known:
        if SENTENCE.match(name):
            found = WORDS.search(name.replace("_", " "))
            known[name] = found and found.group()
        else:
            parts = PART.findall(TERMS.sub("", name)) if "_" in name or not name.islower() else [name]
            known[name] = next((part for part in parts if part.lower() in PARTS), None)
    return known[name]


def check_identifiers(to, code):
    seen = set()
    for number, line in enumerate(code.split("\n"), 1):
        for name in re.findall(r"[A-Za-z_]\w*", line):
            if name not in seen:
                seen.add(name)
                if part := listed_part(name):
                    to.add(number, "identifier", f"{name}: \"{part}\" does not say what it is; name an object by a noun, and a function by a verb")


TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"\"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\d(?:'?[\w.])*|::|->|\S", re.DOTALL)
# Tokens before parentheses that are not names of declared functions.
NOT_FUNCTIONS = {"requires", "noexcept", "explicit", "decltype", "alignas", "sizeof", "alignof", "operator", "if", "defined", "asm"}


class scope:
    def __init__(self, kind, public, name=""):
        self.kind, self.public, self.name = kind, public, name
        self.documented = set()  # functions: further overloads need no comment


def after_brackets(tokens, at, opening, closing):
    """Returns the index after the bracket that closes the one at `at`."""
    depth = 0
    while at < len(tokens):
        if tokens[at] in "([{" and opening == "<":
            at = after_brackets(tokens, at, tokens[at], {"(": ")", "[": "]", "{": "}"}[tokens[at]])
            continue
        depth += (tokens[at] == opening) - (tokens[at] == closing)
        at += 1
        if depth == 0:
            break
    return at


def declared(tokens, inside):
    """Returns (kind, name) of a declaration; the kind is empty if no doc comment is needed."""
    at, template = 0, False
    while at + 1 < len(tokens) and tokens[at] == "template" and tokens[at + 1] == "<":
        if tokens[at + 2 : at + 3] == [">"]:
            return "", ""  # a specialisation
        at, template = after_brackets(tokens, at + 1, "<", ">"), True
    rest = tokens[at:]
    while rest[:2] == ["[", "["]:
        rest = rest[after_brackets(rest, 0, "[", "]") :]
    if not rest or rest[0] in ("friend", "static_assert", "extern", "namespace", "template", "~") or rest[0] == "using" and "=" not in rest:
        return "", ""
    if rest[0] == "using":
        return "type", rest[1]
    if rest[0] == "concept":
        return "concept", rest[1]
    flat, index = [], 0  # the tokens without attributes
    while index < len(rest):
        if rest[index : index + 2] == ["[", "["]:
            index = after_brackets(rest, index, "[", "]")
        else:
            flat.append(rest[index])
            index += 1
    if flat[0] in ("class", "struct", "union", "enum"):
        names = [token for token in flat[1:] if re.match(r"[A-Za-z_]\w*$", token) and token not in ("class", "struct", "final", "alignas") and not token.isupper()]
        if "::" in flat[: flat.index(":") if ":" in flat else len(flat)]:
            return "", ""  # a nested class, which its outer class declares
        specialised = len(flat) > 2 and "<" in flat[: flat.index(":") if ":" in flat else len(flat)]
        return ("", "") if specialised or not names or flat[-1] != "{" else ("type", names[0])
    if flat[-2:] in (["=", "default"], ["=", "delete"]) or flat[-1] == "default":
        return "", ""
    index = 0
    while index < len(flat):
        token = flat[index]
        if token == "operator":
            return "", ""
        if token == "=":
            break
        if token == "(":
            before = flat[index - 1] if index else ""
            if re.match(r"[A-Za-z_]\w*$", before) and before not in NOT_FUNCTIONS and not before.startswith("INGOT_"):
                close = after_brackets(flat, index, "(", ")")
                within = flat[index + 1 : close - 1]
                if flat[index - 2 : index - 1] == ["~"] or before.isupper():
                    return "", ""
                if flat[index - 2 : index - 1] == ["::"]:
                    return "", ""  # the definition of a member, outside of its class
                if before == inside:  # constructors without arguments, and from the same type
                    return ("", "") if not within or within.count(",") == 0 and inside in within and "&" in within else ("constructor", before)
                if "->" in flat[close:] and index == 1 or index == 1 and flat[0] == "explicit":
                    return "", ""  # a deduction guide
                return "function", before
            index = after_brackets(flat, index, "(", ")")
            continue
        index += 1
    if "requires" in flat:
        return "", ""
    names = [token for token in flat[:index] if re.match(r"[A-Za-z_]\w*$", token)]
    if len(names) < 2 or "<" in flat and flat[index - 1 : index] == [">"]:
        return "", ""
    return "value", names[-1]


def check_declarations(to, text, visit=lambda line, statement, scopes: None):
    """Reports public declarations of a public header that have no doc comment.

    `visit` gets line, tokens and scopes of each declaration outside of namespaces called detail.

    This is no C++ parser. It knows the C++ that the headers use, in the layout of clang-format.
    """
    text = re.sub(r"(?m)^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda found: "\n" * found.group().count("\n"), text)
    found = list(TOKEN.finditer(text))
    lines, counted, line_of = [], 0, 1
    for token in found:
        line_of += text.count("\n", counted, token.start())
        counted = token.start()
        lines.append(line_of)
    words = [token.group() for token in found]
    scopes = [scope("namespace", True)]
    statement, start, comment = [], 0, ""
    waiting = None  # an undocumented declaration that a comment at the end of its line may document

    def skip(at):
        depth = 0
        while at < len(words):
            depth += (words[at] == "{") - (words[at] == "}")
            at += 1
            if depth == 0:
                break
        return at

    def report():
        nonlocal waiting
        if waiting:
            to.add(*waiting)
        waiting = None

    def declare(end_line):
        nonlocal waiting
        report()
        here = scopes[-1]
        visit(start, statement, scopes)
        kind, name = declared(statement, here.name)
        if not kind or len(scopes) == 1 or not all(outer.public for outer in scopes) or name in STANDARD or name.startswith("INGOT_"):
            return
        if comment.startswith("///") or comment and kind == "value":
            here.documented.add(name)
        elif kind in ("function", "constructor") and name in here.documented:
            pass
        elif kind == "value":
            waiting = (start, "undocumented", f"{kind} {name}")
            waiting_line[0] = end_line
        else:
            to.add(start, "undocumented", f"{kind} {name}")

    waiting_line = [0]
    at = 0
    while at < len(words):
        word, line = words[at], lines[at]
        if word.startswith(("//", "/*")):
            if not statement:
                if waiting and waiting_line[0] == line:
                    waiting = None
                elif not (at and lines[at - 1] == line):
                    comment = word
            at += 1
            continue
        if not statement:
            if word == "}":
                report()
                if len(scopes) > 1:
                    scopes.pop()
                comment = ""
                at += 1
                if at < len(words) and words[at] == ";":
                    at += 1
                continue
            if word == ";":
                comment = ""
                at += 1
                continue
            start = line
        if word in ("(", "["):
            close = at
            depth = 0
            while close < len(words):
                depth += (words[close] in "([{") - (words[close] in ")]}")
                close += 1
                if depth == 0:
                    break
            statement += [token for token in words[at:close] if not token.startswith(("//", "/*"))]
            at = close
            continue
        if word == ":" and len(statement) == 1 and statement[0] in ("public", "private", "protected"):
            scopes[-1].public = statement[0] == "public"
            statement, comment = [], ""
            at += 1
            continue
        if word == ";":
            declare(line)
            statement, comment = [], ""
            at += 1
            continue
        if word == "{":
            head = [token for token in statement if token != "inline"]
            if head[:1] == ["namespace"]:
                report()
                if "detail" in head or len(head) == 1:
                    at = skip(at)
                else:
                    scopes.append(scope("namespace", True))
                    at += 1
                statement, comment = [], ""
                continue
            body = statement
            if body[0] == "template":
                body = body[after_brackets(body, 1, "<", ">") :]
            kinds = [token for token in body if token in ("class", "struct", "union", "enum")]
            is_type = kinds and "=" not in body and not any(
                body[index] == "(" and index and re.match(r"[a-z_]\w*$", body[index - 1]) and body[index - 1] not in NOT_FUNCTIONS
                for index in range(len(body)))
            if is_type:
                while body and body[0] not in ("class", "struct", "union", "enum"):
                    body = body[1:]  # a requires clause
                whole, statement = statement, body + ["{"] if statement[0] != "template" or statement[1:3] != ["<", ">"] else statement + ["{"]
                declare(line)
                statement = whole
                name = declared(body + ["{"], "")[1] or next((token for token in body[1:] if token[0].isalpha() and not token.isupper()), "")
                if kinds[0] == "enum":
                    at = skip(at)
                else:
                    scopes.append(scope("class", body[0] != "class", name))
                    at += 1
                statement, comment = [], ""
                continue
            last = statement[-1]
            requirement = last == "requires" or last == ")" and "requires" in statement and requires_expression(statement)
            in_initialisers = re.match(r"[A-Za-z_]\w*$|>$", last) and has_initialisers(statement)
            outside = without_brackets(statement)
            if "=" in outside and "operator" not in outside or requirement or in_initialisers or "(" not in outside:
                at = skip(at)  # a value, or a requirement: the statement goes on
                statement.append("}")
                continue
            declare(line)
            at = skip(at)
            if at < len(words) and words[at] == ";":
                at += 1
            statement, comment = [], ""
            continue
        statement.append(word)
        at += 1
    report()


def without_brackets(statement):
    """Returns the tokens outside of brackets and of the template head, and each `(`."""
    if statement[0] == "template":
        statement = statement[after_brackets(statement, 1, "<", ">") :]
    outside, depth = [], 0
    for token in statement:
        if token in "([":
            depth += 1
            if depth == 1 and token == "(":
                outside.append(token)
        elif token in ")]":
            depth -= 1
        elif depth == 0:
            outside.append(token)
    return outside


def requires_expression(statement):
    """Returns true if the statement ends with `requires (T value)`: its braces follow."""
    depth, at = 0, len(statement) - 1
    while at >= 0:
        depth += (statement[at] == ")") - (statement[at] == "(")
        if depth == 0:
            break
        at -= 1
    return at > 0 and statement[at - 1] == "requires" and at - 1 > 0 and statement[at - 2] in ("requires", "=", "&", "|", "(")


def has_initialisers(statement):
    """Returns true if the initialisers of a constructor have begun: a colon after parameters."""
    depth, closed = 0, False
    for token in statement:
        depth += (token == "(") - (token == ")")
        closed = closed or token == ")" and depth == 0
        if token == ":" and depth == 0 and closed:
            return True
    return False


def check_file(name, text):
    to = offences()
    path = pathlib.PurePath(name)
    if name == NAMES_WORDS:
        to.words = lambda line, text: None
    if name.startswith(EXEMPT):
        return to
    if path.suffix in (".hpp", ".cpp"):
        code = check_comments(to, text, COMMENT_OR_STRING, "/")
        if not name.startswith(NAMES_ARE_DATA):
            check_identifiers(to, code)
        if path.suffix == ".hpp" and name.startswith("include/") and not {"detail", "compiled"} & set(path.parts):
            check_declarations(to, text)
    elif path.suffix == ".md":
        plain = re.sub(r"(?ms)^ *```.*?^ *```$", lambda found: "\n" * found.group().count("\n"), text)
        plain = without_code(plain)
        to.words(1, plain)
        to.sentences("\n".join("" if line.startswith("|") else re.sub(r"^\s*[*#-]+ ", "\n\n", line) for line in plain.split("\n")))
    elif path.suffix in (".py", ".cmake", ".sh") or path.name in ("CMakeLists.txt", "Makefile") or text.startswith("#!"):
        check_comments(to, text, SCRIPT_TEXT, "#")
    return to


def check_tree(root):
    """Returns the offences by file, and the number of long sentences."""
    found, long_sentences = {}, 0
    for name in tracked(root):
        path = pathlib.PurePath(name)
        if path.suffix not in (".hpp", ".cpp", ".md", ".py", ".cmake", ".sh", "", ".txt"):
            continue
        try:
            text = (root / name).read_text()
        except UnicodeDecodeError:
            continue  # goldens and seed corpora
        to = check_file(name, text)
        long_sentences += to.long_sentences
        if to.found:
            found[name] = to.found
    return found, long_sentences


def counts_of(found):
    return {name: {rule: sum(1 for offence in list_ if offence[1] == rule) for rule in RULES if any(offence[1] == rule for offence in list_)}
            for name, list_ in found.items()}


def read_baseline(path):
    counts = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line and not line.startswith("#"):
            name, *rest = line.split()
            counts[name] = dict(zip(rest[::2], map(int, rest[1::2])))
    return counts


def written(counts):
    head = "# Offences that scripts/lint words knows of, by file; `scripts/lint words --update-baseline` writes this file, and it only shrinks.\n"
    return head + "".join(f"{name} " + " ".join(f"{rule} {count}" for rule, count in rules.items()) + "\n" for name, rules in sorted(counts.items()))


def grown(before, now):
    """Returns (file, rule, allowed, found) for files above the baseline.

    New files may have what other files lost.
    """
    result = []
    for rule in RULES:
        freed = sum(max(0, rules.get(rule, 0) - now.get(name, {}).get(rule, 0)) for name, rules in before.items())
        fresh = sum(rules.get(rule, 0) for name, rules in now.items() if name not in before)
        for name, rules in sorted(now.items()):
            count, allowed = rules.get(rule, 0), before.get(name, {}).get(rule, 0)
            if count > allowed and (name in before or fresh > freed):
                result.append((name, rule, allowed, count))
    return result


def compare(root):
    """Returns a sentence for each difference, the number of long sentences, and the counts."""
    found, long_sentences = check_tree(root)
    now, before = counts_of(found), read_baseline(root / "scripts/words.baseline")
    sentences = []
    for name in sorted(set(now) | set(before)):
        for rule in RULES:
            count, allowed = now.get(name, {}).get(rule, 0), before.get(name, {}).get(rule, 0)
            if count > allowed:
                sentences.append(f"{name}: {rule}: {count}, the baseline allows {allowed}:")
                sentences += [f"  {name}:{line}: {sentence}" for line, of, sentence in found[name] if of == rule]
            elif count < allowed:
                sentences.append(f"{name}: {rule}: {count}, the baseline has {allowed}: run scripts/lint words --update-baseline")
    return sentences, long_sentences, now


def update(root, force):
    """Writes the baseline, or returns a sentence for each reason against it."""
    now, path = counts_of(check_tree(root)[0]), root / "scripts/words.baseline"
    more = grown(read_baseline(path), now)
    if more and not force:
        return [f"{name}: {rule}: {count}, the baseline allows {allowed}: mend it (scripts/check_words.py --list {name})" for name, rule, allowed, count in more]
    path.write_text(written(now))
    return []


def self_test():
    """Plants offences against each rule and compares the findings, then tests the baseline."""
    first = f"// {LICENCE}\n"
    header = "include/ingot/core/a.hpp"
    planted = [  # file, text, (line, rule) of each offence
        (header, first + "// A reader that waits.\n// It was told so.\n", [(3, "word")]),
        (header, first + "// Writes `told`, and told_reading is a name.\n", []),
        (header, first + "// Returns the proofs\n// of\n// which there are two, and goes\n// on.\n", [(2, "word"), (3, "word"), (4, "word")]),
        (header, first + 'const char* a = "nobody knows"; // \n', [(2, "word")]),
        (header, first + 'const char* a = "room";\nauto b = 1\'000; auto c = \'"\'; // two\n', []),
        (header, first + 'const char* a = R"x(behind "it")x";\n', [(2, "word")]),
        (header, first + "int a; /* spelled out */\n", [(2, "word")]),
        (header, first + "// Who waits.\n", [(2, "word"), (2, "opening")]),
        (header, first + "// Where the bytes are.\n\nint a; // of the last one\n// what follows\n", [(2, "opening"), (4, "opening"), (5, "opening")]),
        (header, first + "// The bytes\n// of one block. Whatever. Offsets.\nint whatever; // whether\n", []),
        (header, first + "namespace ingot::detail {\nint least_size, LeastOf, at_the_most; // \nint almost, kept;\n}\n",
         [(3, "identifier"), (3, "identifier"), (3, "identifier"), (4, "identifier")]),
        (header, first + "namespace ingot::detail {\nstd::in_place_t a(std::compare_three_way, std::int_least8_t, displace, roommate);\n}\n", []),
        (header, first + "namespace ingot::detail {\nvoid a_step_is_a_number_with_at_most_9_digits_after_it(), it_is_one_of_at_most_9_digits_behind_the_point();\n}\n",
         [(3, "identifier")]),
        ("tests/zoo/a.cpp", first + "int room;\n", []),
        (header, first + "//" + " a" * 49 + "\n//" + " a" * 50 + "\nint " + "a" * 120 + ";\nint a;" + " " * 90 + "// end\nint b;" + " " * 90 + "// ingot: end\n", [(3, "width"), (5, "width")]),
        ("docs/a.md", "A `proof`.\n```cpp\nproof\n```\nA proof, anew.\n" + "a " * 60 + "\n", [(5, "word"), (5, "word")]),
        ("README.md", f"**{SLOGAN}.** Others prove it.\n", [(1, "word")]),
        ("scripts/a.py", f"# {LICENCE}\n\"\"\"How it works.\n\nNobody knows.\"\"\"\na = \"behind it\" # who\n", [(2, "opening"), (4, "word"), (5, "word"), (5, "word"), (5, "opening")]),
        ("tests/CMakeLists.txt", "# Of\n#   two\nset(a \"#b\")\n", [(1, "opening")]),
        ("notes/a.md", "Nobody.\n", []),
        # Declarations that need a doc comment, and declarations that don't.
        (header, first + "namespace ingot { inline namespace INGOT_V1 {\nint f(int a);\n/// Doc.\nint g();\nint g(int);\n}}\n", [(3, "undocumented")]),
        (header, first + "namespace ingot {\ntemplate <class T>\n  requires(sizeof(T) > 1)\n[[nodiscard]] result<T> f(T& a) noexcept(true) {\n  return {a};\n}\n}\n", [(3, "undocumented")]),
        (header, first + "namespace ingot {\nnamespace detail {\nint f();\n}\nclass a;\nusing std::b;\nnamespace {\nint x;\n}\nstatic_assert(true);\n}\n", []),
        (header, first + "namespace ingot {\nclass a {\npublic:\n  a() = default;\n  a(const a& o) : x_{o.x_}, y_(1) {}\n  explicit a(int x) : x_{x}, y_(2) {}\n  ~a() {}\n"
         "  std::size_t size() const { return 1; }\n  bool operator==(const a&) const = default;\n  void f() & {}\n\nprivate:\n  int g();\n  int x_, y_;\n};\nint h;\n}\n",
         [(3, "undocumented"), (7, "undocumented"), (11, "undocumented"), (17, "undocumented")]),
        (header, first + "namespace ingot {\n/// A pair.\nstruct a {\n  int x = 0; // the first\n  // The second.\n  int y{1};\n  int z;\n  struct b {\n    int q; ///< doc\n  };\n};\n}\n",
         [(8, "undocumented"), (9, "undocumented")]),
        (header, first + "namespace ingot {\nint f(int a = 0) {\n  return a;\n}\nint g();\nclass c::d {\n  int e;\n};\n}\n", [(3, "undocumented"), (6, "undocumented")]),
        (header, first + "namespace ingot {\ntemplate <>\nstruct hash<int> {\n  int f();\n};\ntemplate <class T>\nconcept c = requires(T t) { t.x; };\nusing d = int;\nenum class e : int { x, y };\n"
         "inline constexpr int k = 3;\n}\n", [(5, "undocumented"), (7, "undocumented"), (9, "undocumented"), (10, "undocumented"), (11, "undocumented")]),
    ]
    failures = 0
    for name, text, expected in planted:
        found = sorted((line, rule) for line, rule, _ in check_file(name, text).found)
        if found != sorted(expected):
            failures += 1
            print(f"check_words: in\n{text}expected {sorted(expected)}, found {found}")
    assert check_file("docs/a.md", "a " * 26 + "a.\n\n" + "b " * 24 + "b. c\n").long_sentences == 1
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "scripts").mkdir()
        one, two, baseline = root / "docs/one.md", root / "docs/two.md", root / "scripts/words.baseline"
        one.parent.mkdir()

        def state(first_text, second_text=None):
            one.write_text(first_text)
            two.write_text(second_text) if second_text is not None else two.unlink(missing_ok=True)

        state("who\n")
        assert compare(root)[0] and update(root, False) and not baseline.exists(), "what is new is refused"
        assert not update(root, True) and not compare(root)[0], "unless it is forced"
        state("who anew\n")
        assert compare(root)[0][0].startswith("docs/one.md: word: 2, the baseline allows 1") and update(root, False), "more is refused"
        state("a\n")
        assert compare(root)[0] == ["docs/one.md: word: 0, the baseline has 1: run scripts/lint words --update-baseline"], "fewer is to be written down"
        state("a\n", "who\n")
        assert compare(root)[0] and not update(root, False) and not compare(root)[0], "what moves to a new file stays"
        state("a\n", "who told\n")
        assert update(root, False), "but not with more"
        state("a\n")
        assert not update(root, False) and read_baseline(baseline) == {}, "it shrinks"
    return failures


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    if arguments[:1] == ["--list"]:
        wanted = tuple(str(pathlib.PurePath(path)) for path in arguments[1:])
        for name, found in check_tree(ROOT)[0].items():
            if not wanted or name in wanted or name.startswith(tuple(path + "/" for path in wanted)):
                print("\n".join(f"{name}:{line}: {rule}: {sentence}" for line, rule, sentence in sorted(found)))
        return 0
    if arguments[:1] == ["--update-baseline"] and arguments[1:] in ([], ["--force"]):
        wrong = update(ROOT, bool(arguments[1:]))
        print("\n".join(wrong) if wrong else "check_words: scripts/words.baseline is written")
        return 1 if wrong else 0
    if arguments:
        sys.exit(__doc__)
    sentences, long_sentences, now = compare(ROOT)
    totals = {rule: sum(rules.get(rule, 0) for rules in now.values()) for rule in RULES}
    print("\n".join(sentences) if sentences else "check_words: no file has more than the baseline allows")
    print("check_words: " + ", ".join(f"{rule} {count}" for rule, count in totals.items()) + f"; {long_sentences} sentences of more than {LONGEST} words, which are only counted")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
