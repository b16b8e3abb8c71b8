#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of the API reference, for scripts/make-site.

Doxygen reads the headers and writes XML. A class with functions gets a page, and what else a header
declares gets another. An entry has the declarations and their documentation. Each page has an
example that the tests compile and run: a function of tests/pages/reference/ after a comment
`// example: NAME`. NAME is a class, without `basic_`, or a header such as `live/print.hpp`.
WITHOUT_EXAMPLE lists the headers that need none. scripts/make-site fails for any other page without
an example.
"""
import collections
import pathlib
import re
import subprocess
import textwrap
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Macros without meaning for a reader, and those that doxygen cannot know.
MACROS = """INGOT_V1=v1 INGOT_INLINE= INGOT_COLD= INGOT_NOTED= INGOT_CHECKED= INGOT_NOINLINE= INGOT_COMPILED= INGOT_RETAINED=
INGOT_FLATTEN= INGOT_INLINE_LAMBDA= INGOT_EXCEPTIONS=1 INGOT_DESCRIBES_VIEWS= INGOT_POISONS= INGOT_DEBUG_TYPE(x)=
INGOT_HAS_ITERATORS(x,y,z)= INGOT_IN_DEBUG(...)= __has_include(x)=1""".split()
# The filter indents code in comments by as much as doxygen takes for code.
SETTINGS = """
PROJECT_NAME = ingot
RECURSIVE = YES
FILE_PATTERNS = *.hpp
EXCLUDE_PATTERNS = */compiled/*
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
EXTRACT_ALL = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
HAVE_DOT = NO
INPUT_FILTER = "sed -e 's,///   ,///      ,'"
QUIET = YES
WARNINGS = NO
"""
# Namespaces and classes that only this library uses, and the reason why each is not in `detail`.
INTERNAL_SCOPES = {
    "ingot::hardening": "all files of a program share this namespace, with and without reflection",
    "ingot::schema::builder": "a member of `schema`, so that it can write the nodes of a schema",
}
# Headers without an example, and the reason.
WITHOUT_EXAMPLE = {
    "document/adapt_value.hpp": "specialises `adapt` for documents; programs use nothing of it by name",
    "live/twin.hpp": "needs C++26 reflection, without which the reference is made; docs/live.md describes it",
    "reflect/platform_form.hpp": "specialises `adapt` for standard types; programs use nothing of it by name",
    "reflect/sentence.hpp": "declares texts of compile errors only",
    "reflect/storable.hpp": "declares texts of compile errors only",
}
# Names of the pages of templates that users know by their aliases.
BASIC = re.compile(r"^basic_(?!ref\b)")
SKIPPED_MEMBERS = re.compile(r"^(INGOT_\w+|~.*)$")
# Public members of classes that only this library uses, and the reason why each is public.
INTERNAL_MEMBERS = {
    "live_policy": "reflection compares the policies of a block and its containers",
    "live_parts": "reflection visits the types in a container",
    "container_kind": "reflection and layouts tell containers apart",
    "holds_offsets": "containers move elements with offsets in another way",
    "brace_value": "the type of the elements in braces, which overloads name",
    "unsorted_entries": "readers fill a sorted container in any order",
    "whole_value": "reflection tells documents and live values from other types",
    "document_type": "reflection finds the twin of a value of any kind",
    "object_at": "iterators of pools", "slots": "iterators of pools", "has_object": "iterators of pools",
    "next_object": "iterators of pools", "ref_at": "iterators of pools",
}
# An example of the reference: the names of its pages, declarations, and a function's body.
WRITTEN = re.compile(r"(?ms)^// example: ([^\n]+)\n((?:(?!^// example: ).)*?)^void \w+\(\) \{\n(.*?)^\}$")
CONTINUES = re.compile(r"(Otherwise|Then|If not|Such|This|These|Those|It|That|Both|Also|`\w+` (also )?(if|for))\b")


def run_doxygen(folder):
    """Reads the headers, and returns the folder of the XML."""
    folder.mkdir(parents=True, exist_ok=True)
    macros = " ".join(f'"{macro}"' for macro in MACROS)
    settings = f"{SETTINGS}INPUT = {ROOT}/include/ingot\nSTRIP_FROM_PATH = {ROOT}/include\nOUTPUT_DIRECTORY = {folder}\nPREDEFINED = {macros}\n"
    (folder / "Doxyfile").write_text(settings)
    subprocess.run(["doxygen", str(folder / "Doxyfile")], check=True, stderr=subprocess.DEVNULL)
    return folder / "xml"


def public_name(name):
    """Returns the name that users write: without the inline namespace of the version."""
    return re.sub(r"\bv1(_handler)?::", "", name)


def layer_of(header):
    return header.split("/")[1] if header.count("/") > 1 else "core"


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


class Markdown:
    """Turns descriptions in doxygen's XML into Markdown. `pages` has the page of each compound."""

    def __init__(self, pages):
        self.pages = pages

    def inline(self, element, base):
        parts = [escaped(element.text or "")]
        for child in element:
            if child.tag == "computeroutput":
                code = f"`{''.join(child.itertext())}`"
                target = next((self.pages[ref.get("refid")] for ref in child.iter("ref") if ref.get("refid") in self.pages), None)
                whole = len(child) == 1 and not (child.text or "").strip() and not (child[0].tail or "").strip()
                parts.append(f"[{code}]({relative(target, base)})" if target and whole and target != base else code)
            elif child.tag in ("itemizedlist", "orderedlist"):
                items = [" ".join(self.inline(part, base).strip() for part in item) for item in child]
                parts.append("\n\n" + "".join(f"- {item}\n" for item in items) + "\n")
            elif child.tag in ("verbatim", "preformatted"):
                parts.append("\n\n```cpp\n" + textwrap.dedent("".join(child.itertext())).strip("\n") + "\n```\n\n")
            elif child.tag == "programlisting":
                lines = ["".join(" " if part.tag == "sp" else (part.text or "") for part in line.iter()) for line in child]
                parts.append("\n\n```cpp\n" + "\n".join(lines) + "\n```\n\n")
            elif child.tag in ("para", "emphasis", "bold", "ref", "ulink"):
                parts.append(self.inline(child, base))
            else:
                parts.append(escaped("".join(child.itertext())))
            parts.append(escaped(child.tail or ""))
        return "".join(parts)

    def described(self, element, base):
        """Returns the whole description of a compound or member."""
        texts = []
        for part in ("briefdescription", "detaileddescription"):
            found = element.find(part)
            if found is not None:
                texts += [self.inline(paragraph, base).strip() for paragraph in found]
        text = "\n\n".join(text for text in texts if text)
        return with_links(text, base)


def with_links(text, base):
    """Returns the text with links in place of the names of pages, such as docs/live.md."""
    return re.sub(r"(?<![\w/])docs/([\w-]+)\.md", lambda page: f"[{page[1]}]({relative(page[1] + '.md', base)})", text)


def relative(target, base):
    """Returns the link from the page `base` to the page `target`."""
    return "../" * base.count("/") + target


FACTS = [
    ("Complexity", re.compile(r"((Amorti[sz]ed |(Time|Work)( and memory)?( is| are)? )?(O\(|[Ll]inear\b)|Constant time|Complexity\b|The time\b)")),
    ("Errors", re.compile(r"(Errors?\b|Other errors\b|Throws\b|May throw\b|Without exceptions\b|Returns (null|false) if (the block|the system|memory|there is no memory)\b)")),
    ("Invalidates", re.compile(r"(Invalidates\b|Ends all handles\b|Ends handles\b|Handles\b.*(valid|end)|References\b.*valid|Iterators\b.*valid)")),
    ("Requires", re.compile(r"(Requires\b|The caller must\b|Must not\b)")),
]


# The beginning of a sentence that states several facts in the words of another function.
SEVERAL_FACTS = re.compile(r"((?:Errors|Complexity)(?:, \w+)* and \w+)(?:: | are )(?=as |those of )")


def sentences(text):
    """Splits a paragraph into its sentences. Full stops in code do not end one."""
    parts, start, in_code = [], 0, False
    for at, character in enumerate(text):
        in_code ^= character == "`"
        if not in_code and (end := re.match(r"\.\)?(?= +[`A-Z\[(])", text[at : at + 12])):
            parts.append(text[start : at + end.end()].strip())
            start = at + end.end()
    return [*parts, text[start:].strip()]


def with_facts(text):
    """Returns the description, with what it says of complexity, errors and so on as a list.

    A sentence that refers to the sentence before it stays with that sentence.
    """
    paragraphs, facts = [], collections.defaultdict(list)
    for paragraph in text.split("\n\n"):
        if paragraph.startswith(("- ", "```")) or "\n- " in paragraph:
            paragraphs.append(paragraph)
            continue
        rest, to = [], None
        for sentence in sentences(paragraph):
            fact = next((name for name, pattern in FACTS if pattern.match(sentence)), None)
            if several := SEVERAL_FACTS.match(sentence):
                fact, sentence = several[1], sentence[several.end() :]
            to = fact or (to if CONTINUES.match(sentence) else None)
            (facts[to] if to else rest).append(sentence)
        if rest:
            paragraphs.append(" ".join(rest))
    order = [name for name, _ in FACTS if facts[name]] + [name for name in facts if name not in dict(FACTS)]
    lines = [f"- **{name}:** {re.sub(r'^(Errors:|Complexity:|Invalidates(?= )|Requires that|Requires) ', '', ' '.join(facts[name]))}" for name in order]
    return "\n\n".join(paragraphs + (["\n".join(lines)] if lines else []))


def tidy(declaration):
    """Returns a declaration as the tree lays them out, more or less."""
    text = public_name(re.sub(r"\s+", " ", declaration)).strip()
    text = re.sub(r"\bingot::(?=\w)", "", text)
    text = re.sub(r"< (?=[^<>=])", "<", text)
    text = re.sub(r"(?<=[\w>*&.)\]]) >", ">", text)
    text = re.sub(r"(?<=[\w>]) ([&*]+)(?=[\w.])", r"\1 ", text)
    text = re.sub(r"(?<=[\w>]) ([&*]+)(?=[,>) ]|$)", r"\1", text)
    text = re.sub(r"([&*]) \.\.\.", r"\1...", text)
    text = re.sub(r"(?<=\w) (?=\(\)|\()", "", text) if not re.search(r"\b(requires|decltype|noexcept|operator) \(", text) else text
    return text.replace("= typedef ", "= ")


def template_head(element):
    parameters = []
    for parameter in element.findall("templateparamlist/param"):
        kind = "".join(parameter.find("type").itertext()) if parameter.find("type") is not None else "auto"
        name, default = parameter.findtext("declname") or "", parameter.find("defval")
        parameters.append(f"{kind} {name}".strip() + (" = " + "".join(default.itertext()) if default is not None else ""))
    if element.find("templateparamlist") is None:
        return ""
    head = f"template <{tidy(', '.join(parameters))}>\n"
    condition = "".join(element.find("requiresclause").itertext()) if element.find("requiresclause") is not None else ""
    return head + (f"  requires {tidy(condition)}\n" if condition.strip() else "")


def wrapped(line):
    """Breaks a long declaration after the commas between its parameters."""
    if len(line) <= 100 or "(" not in line:
        return line
    opening, depth, parts, start = line.index("("), 0, [], 0
    for at in range(opening + 1, len(line)):
        depth += (line[at] in "(<[{") - (line[at] in ")>]}" and line[at - 1] != "-")
        if line[at] == "," and depth == 0:
            parts.append(line[start : at + 1].strip())
            start = at + 1
    return "\n    ".join([*parts, line[start:].strip()])


def declared(member, scope):
    """Returns the declaration of a member of a class or namespace."""
    kind, name = member.get("kind"), member.findtext("name")
    if kind == "enum":
        values = [value.findtext("name") + (" " + value.findtext("initializer") if value.find("initializer") is not None else "") for value in member.findall("enumvalue")]
        base = f" : {tidy(''.join(member.find('type').itertext()))}" if member.find("type") is not None and "".join(member.find("type").itertext()) else ""
        body = textwrap.fill(", ".join(values), 96, initial_indent="  ", subsequent_indent="  ")
        return f"enum class {name}{base} {{\n{body}\n}}"
    definition = member.findtext("definition") or name
    arguments = member.findtext("argsstring") or ""
    initializer = member.find("initializer")
    if kind == "variable":  # doxygen writes a class before the name, and the bounds of arrays twice
        type_text = "".join(member.find("type").itertext())
        definition = f"{type_text}{name}" if type_text.endswith("(*") else f"{type_text} {name}"
        definition = ("static " if member.get("static") == "yes" and "constexpr" not in type_text else "") + definition
    text = re.sub(rf"(?:[\w~]+(?:< [^()<>]* >)?::)+(?={re.escape(name)}(?:$|[ =<]))", "", public_name(definition), count=1) if kind != "friend" else definition
    text = text.replace("friend ", "", 1) if text.startswith("friend ") else text
    if kind == "friend":
        text = "friend " + text
    if member.get("explicit") == "yes":
        text = "explicit " + text
    text = tidy(text + arguments)
    if kind == "variable" and initializer is not None:
        value = tidy("".join(initializer.itertext())).lstrip("= ")
        if len(value) < 60 and "\n" not in value:
            text += f" = {value}"
    if kind == "typedef":
        text = re.sub(r" = +", " = ", text)
    return template_head(member) + wrapped(text)


class Reference:
    def __init__(self, xml):
        self.compounds, self.by_id = {}, {}
        for file in sorted(xml.glob("*.xml")):
            for compound in ElementTree.parse(file).getroot().iter("compounddef"):
                name = public_name(compound.findtext("compoundname"))
                self.by_id[compound.get("id")] = compound
                if compound.get("kind") in ("class", "struct", "union", "concept"):
                    self.compounds[name] = compound
        self.pages = {}  # id of a compound: its page
        self.headers = collections.defaultdict(lambda: {"classes": [], "others": []})
        self.collect()
        self.markdown = Markdown(self.pages)
        self.examples = Examples()

    def members(self, compound):
        """Returns the public members in the order of the header, then those of bases in detail."""
        found = [member for section in compound.findall("sectiondef") for member in section.findall("memberdef")]
        found = [member for member in found if member.get("prot") == "public" and not SKIPPED_MEMBERS.match(member.findtext("name") or "")]
        found = [member for member in found if member.findtext("name") not in INTERNAL_MEMBERS]
        found = [member for member in found if not (member.get("kind") == "friend" and re.match(r"(friend )?(class|struct)\b|\w+(::\w+)*$", (member.findtext("definition") or "").strip()))]
        found = [member for member in found if "=delete" not in (member.findtext("argsstring") or "")]
        found.sort(key=lambda member: int(member.find("location").get("line")))
        for base in compound.findall("basecompoundref"):
            if base.get("prot") == "public" and "detail" in (base.text or "") and base.get("refid") in self.by_id:
                own = {member.findtext("name") for member in found}
                found += [member for member in self.members(self.by_id[base.get("refid")]) if member.findtext("name") not in own and member.get("kind") == "function"
                          and member.findtext("name") != public_name(self.by_id[base.get("refid")].findtext("compoundname")).split("::")[-1]]
        return found

    def collect(self):
        """Decides which page has what."""
        for name, compound in sorted(self.compounds.items()):
            location = compound.find("location")
            if "detail" in name or name in INTERNAL_SCOPES or not name.startswith("ingot::") or compound.get("prot") == "private" or location is None or "/detail/" in location.get("file"):
                continue
            outer = name.rsplit("::", 1)[0]
            if outer in self.compounds and self.compounds[outer].get("prot") != "private" and "<" not in outer:
                self.headers[location.get("file")]["classes" if self.has_functions(compound) else "others"].append((name, compound))
                continue
            if compound.get("kind") != "concept" and "<" not in name and self.has_functions(compound):
                self.headers[location.get("file")]["classes"].append((name, compound))
            elif "<" not in name:
                self.headers[location.get("file")]["others"].append((name, compound))
        seen = set()
        for compound in self.by_id.values():
            name = public_name(compound.findtext("compoundname"))
            if compound.get("kind") != "namespace" or "detail" in name or name in INTERNAL_SCOPES or not name.startswith("ingot"):
                continue
            for section in compound.findall("sectiondef"):
                for member in section.findall("memberdef"):
                    location, where = member.find("location"), (member.find("location").get("file"), member.find("location").get("line"), member.findtext("name"))
                    if "/detail/" in where[0] or where in seen or SKIPPED_MEMBERS.match(where[2] or "") or "<" in where[2] or where[2].startswith("@"):
                        continue
                    seen.add(where)
                    self.headers[where[0]]["others"].append((f"{name}::{where[2]}", member))
        for header, found in self.headers.items():
            # Aliases such as `vector` belong to the page of their template.
            for name, compound in found["classes"]:
                self.pages[compound.get("id")] = self.class_page(header, name)
            for name, element in found["others"]:
                if element.get("id") and element.tag == "compounddef":
                    self.pages[element.get("id")] = self.header_page(header)

    def has_functions(self, compound):
        return sum(member.get("kind") == "function" and member.findtext("name") != compound.findtext("compoundname").split("::")[-1] for member in self.members(compound)) >= 2

    @staticmethod
    def class_page(header, name):
        short = "-".join(BASIC.sub("", part) for part in name.split("::")[1:])
        return f"reference/{layer_of(header)}/{short}.md"

    @staticmethod
    def header_page(header):
        return f"reference/{layer_of(header)}/{pathlib.Path(header).stem}-header.md"

    def entries(self, members, base, scope):
        """Returns the entries of a page: [(title, [declaration], description)].

        A function without a description of its own joins the entry before it if both have the same
        name, but for `try_`. Other functions in a row without a description are one entry.
        """
        entries = []
        for member in members:
            name = public_name(member.findtext("name") or member.findtext("compoundname")).split("::")[-1]
            text = self.markdown.described(member, base)
            declaration = declared(member, scope) if member.tag == "memberdef" else self.compound_declaration(member)
            if member.get("kind") == "enum":
                values = [(value.findtext("name"), self.markdown.described(value, base).replace("\n", " ")) for value in member.findall("enumvalue")]
                if any(meaning for _, meaning in values):
                    text += "\n\n" + "".join(f"- `{value}`" + (f": {meaning}" if meaning else "") + "\n" for value, meaning in values)
            plain = name.removeprefix("try_")
            kind = "types" if member.get("kind") in ("typedef", "variable") else "functions"
            if entries and not text and (plain in entries[-1]["plain"] or not entries[-1]["text"] and entries[-1]["kind"] == kind):
                entries[-1]["declarations"].append(declaration)
                if name not in entries[-1]["names"]:
                    entries[-1]["names"].append(name)
                entries[-1]["plain"].add(plain)
                continue
            entries.append({"names": [name], "plain": {plain}, "declarations": [declaration], "text": text, "kind": kind, "member": member})
        taken = collections.Counter(["example", "members"])
        for entry in entries:
            anchor = re.sub(r"\W+", "-", entry["names"][0]).strip("-")
            if entry is not entries[0] and entry["names"] == before["names"]:
                entry["anchor"], before = before["anchor"], entry
                continue
            before = entry
            taken[anchor] += 1
            entry["anchor"] = anchor if taken[anchor] == 1 else f"{anchor}-{taken[anchor]}"
        return entries

    def compound_declaration(self, compound):
        name = public_name(compound.findtext("compoundname")).split("::", 1)[1]
        if compound.get("kind") == "concept":
            text = "".join(compound.find("initializer").itertext())
            return "\n".join(tidy(line) for line in re.sub(r"(?<=>)\s*concept", "\nconcept", text, count=1).splitlines() if line.strip())
        lines = []
        for member in self.members(compound):
            lines += [textwrap.indent(declared(member, name) + ";", "  ")]
        body = " {\n" + "\n".join(lines) + "\n}" if lines else ""
        return template_head(compound) + f"{compound.get('kind')} {name}{body}"

    def rendered(self, entries, base):
        lines, before = [], None
        for entry in entries:
            same, before = entry["names"] == before, entry["names"]
            names = entry["names"] if len(entry["names"]) <= 12 else [*entry["names"][:12], "..."]
            if not same:
                lines.append(f"## {', '.join(f'`{name}`' for name in names)} {{ #{entry['anchor']} }}\n")
            ended = [declaration if declaration.endswith(";") else declaration + ";" for declaration in entry["declarations"]]
            lines.append("```cpp\n" + "\n".join(ended) + "\n```\n")
            if entry["member"].get("kind") == "struct" and entry["member"].tag == "compounddef":
                fields = [(member.findtext("name"), self.markdown.described(member, base).replace("\n", " ")) for member in self.members(entry["member"])]
                lines.append(with_facts(entry["text"]) + "\n")
                if any(text for _, text in fields):
                    lines.append("".join(f"- `{name}`: {text}\n" for name, text in fields if text))
            elif entry["text"]:
                lines.append(with_facts(entry["text"]) + "\n")
        return "\n".join(lines)

    def overview(self, entries):
        """Returns a table of the entries: what each does, and its complexity where it has one."""
        rows = []
        for entry in entries:
            if entry["kind"] == "types":
                continue
            first = sentences(entry["text"].split("\n\n")[0])[0] if entry["text"] else ""
            first = re.sub(r"\[(`[^`]+`)\]\([^)]*\)", r"\1", first)
            cost = re.search(r"O\((?:[^()]|\([^()]*\))*\)", entry["text"])
            names = ", ".join(f"[`{name}`](#{entry['anchor']})" for name in entry["names"])
            rows.append(f"| {names} | {first} | {cost.group() if cost else ''} |".replace("||", "\\|\\|"))
        return "| | | complexity |\n|---|---|---|\n" + "\n".join(rows) + "\n" if len(rows) > 3 else ""

    def aliases(self, header, short):
        """Returns the aliases of a class template in its header, such as wide::vector."""
        return [(name, element) for name, element in self.headers[header]["others"]
                if element.get("kind") == "typedef" and re.search(rf"\b{re.escape(short)}\s*<", element.findtext("definition") or "")]

    def class_text(self, header, name, compound):
        base, short = self.class_page(header, name), name.split("::", 1)[1]
        aliases = self.aliases(header, name.split("::")[-1])
        title = BASIC.sub("", short) if aliases else short
        entries = self.entries(self.members(compound), base, short)
        self.known[base] = (title, self.markdown.described(compound, base))
        declaration = template_head(compound) + f"{compound.get('kind')} {short};"
        uses = [declared(element, "") + ";" for name, element in aliases if "wide" not in name]
        uses += ["namespace wide {\n" + declared(element, "") + ";\n}" for name, element in aliases if "wide" in name]
        parts = [f"# {title}\n", f"`#include <{header}>`\n", "```cpp\n" + "\n".join([declaration, *uses]) + "\n```\n"]
        parts.append(with_facts(self.markdown.described(compound, base)) + "\n")
        parts.append(self.examples.text("::".join(BASIC.sub("", part) for part in short.split("::"))))
        if overview := self.overview(entries):
            parts.append("## Members\n\n" + overview)
        parts.append(self.rendered([entry for entry in entries if entry["kind"] != "types"], base))
        parts.append(self.rendered([entry for entry in entries if entry["kind"] == "types"], base))
        return "\n".join(part for part in parts if part.strip())

    def header_text(self, header, others, alone):
        base = self.header_page(header)
        lead = with_links(header_comment(header), base)
        elements = sorted((element for _, element in others), key=lambda element: int(element.find("location").get("line")))
        scopes = {id(element): name for name, element in others}
        entries = self.entries(elements, base, "")
        for entry in entries:  # functions of ingot::json are json::read
            scope = scopes[id(entry["member"])].rsplit("::", 1)[0].split("::", 1)[1:]
            if scope:
                entry["names"] = [f"{scope[0]}::{name}" for name in entry["names"]]
        title = pathlib.Path(header).stem if alone else f"{pathlib.Path(header).stem}.hpp"
        self.known[base] = (f"{layer_of(header)}/{pathlib.Path(header).name}", lead)
        parts = [f"# {layer_of(header)}/{pathlib.Path(header).name}\n", f"`#include <{header}>`\n", lead + "\n"]
        parts += [self.examples.text(header.removeprefix("ingot/")), self.overview(entries), self.rendered(entries, base)]
        return "\n".join(part for part in parts if part.strip())

    def write(self, folder):
        """Writes all pages. Returns the contents: {layer: [(title, page)]}."""
        self.known = {}
        contents = collections.defaultdict(list)
        texts = {}
        for header, found in sorted(self.headers.items()):
            aliases = set()
            for name, compound in found["classes"]:
                texts[self.class_page(header, name)] = self.class_text(header, name, compound)
                contents[layer_of(header)].append(self.class_page(header, name))
                aliases |= {id(element) for _, element in self.aliases(header, name.split("::")[-1])}
            others = [(name, element) for name, element in found["others"] if id(element) not in aliases]
            if others:
                texts[self.header_page(header)] = self.header_text(header, others, not found["classes"])
                contents[layer_of(header)].append(self.header_page(header))
        for page, text in texts.items():
            (folder / page).parent.mkdir(parents=True, exist_ok=True)
            (folder / page).write_text(text)
        listed = {}
        for layer, pages in contents.items():
            pages = sorted(set(pages), key=lambda page: (page.endswith("-header.md"), self.known[page][0]))
            listed[layer] = [(self.known[page][0], page) for page in pages]
            index = [f"# Reference: {layer}\n", f"Classes first, then what else the headers `<ingot/{layer}/NAME.hpp>` declare.\n", "| | |\n|---|---|"]
            for page in pages:
                title, text = self.known[page]
                first = sentences(text.split("\n\n")[0])[0]
                first = re.sub(r"\]\((\.\./)+", "](../../", first)
                index.append(f"| [`{title}`]({page.split('/')[-1]}) | {first} |")
            (folder / f"reference/{layer}/index.md").write_text("\n".join(index) + "\n")
        return listed


def escaped_outside_code(text):
    return "`".join(part if at % 2 else escaped(part) for at, part in enumerate(text.split("`")))


def header_comment(header):
    """Returns the comment at the top of a header, as Markdown."""
    lines = (ROOT / "include" / header).read_text().splitlines()[1:]
    return comment_text([line[2:] for line in lines[: next(at for at, line in enumerate(lines) if not line.startswith("//"))]])


def comment_text(lines):
    """Returns the lines of a comment as Markdown. Three spaces begin a line of code."""
    parts, code = [], None
    for line in lines:
        is_code = line.startswith("   ") or code is True and not line.strip()
        if is_code != code or not line.strip() and not is_code:
            parts.append([])
        code = is_code
        parts[-1].append((is_code, line))
    texts = []
    for part in parts:
        plain = "\n".join(line for _, line in part).strip("\n")
        if plain.strip():
            texts.append(f"```cpp\n{textwrap.dedent(plain)}\n```" if part[0][0] else escaped_outside_code(" ".join(plain.split())))
    return "\n\n".join(texts)


def file_level(text):
    """Returns (name, code) of what a source declares at the level of the file or its namespaces."""
    declarations, lines = [], []
    for line in text.splitlines():
        if not lines and (not line or line.startswith(("//", "#", " ", "namespace", "}"))):
            continue
        lines.append(line)
        if line[:1] not in (" ", "") and re.search(r"(;|\})( //.*)?$", line):
            code, lines = "\n".join(lines), []
            name = re.match(r"(?:struct|class|enum class) (\w+)", code) or re.match(r"[^{}()=;]*?\b(\w+)(?:\(\) \{|\{|\()", code)
            declarations.append((name[1] if name and "template" not in code.split("\n")[0] else "", code))
    return declarations


class Examples:
    """The examples of the reference: code that the tests compile and run."""

    def __init__(self):
        self.written = {}  # a class or header: (file, code)
        for source in sorted((ROOT / "tests/pages/reference").glob("*.cpp")):
            for names, code in self.marked(source.read_text()):
                self.written |= {name: (str(source.relative_to(ROOT)), code) for name in names}

    @staticmethod
    def marked(text):
        """Returns the marked examples in a source, with what they use of it: [([name], code)]."""
        shared = [(name, code) for name, code in file_level(WRITTEN.sub("", text)) if name]
        found = []
        for names, declarations, body in WRITTEN.findall(text):
            code = declarations.rstrip("\n") + ("\n\n" if declarations else "") + textwrap.dedent(body)
            used = []
            for name, declaration in reversed(shared):
                plain = re.sub(r'"(?:[^"\\]|\\.)*"|//.*', "", "\n".join([*used, code]))
                if re.search(rf"\b{name}\b", plain) and not re.search(rf"(?m)^ *(struct|class|enum class) {name}\b", plain) and declaration not in code:
                    used.insert(0, declaration)
            found.append((names.split(", "), "\n".join(used) + ("\n\n" if used else "") + code))
        return found

    def lost(self):
        """Returns the names of marked examples that no header declares."""
        headers = {str(file.relative_to(ROOT / "include/ingot")): file.read_text() for file in (ROOT / "include/ingot").rglob("*.hpp")}
        declared = set(re.findall(r"\b(?:class|struct) (?:\[\[\w+\]\] |\w+ )?(?:basic_)?(\w+)(?: final)?[ ;:]", "\n".join(headers.values())))
        return [f"{where}: no header declares {name}" for name, (where, _) in self.written.items() if name not in headers and name.split("::")[-1] not in declared]

    def lacking(self, header, text):
        """Returns a sentence for each public class without an example, or for the header.

        `text` is the code of the header outside of namespaces called detail. This check needs no
        doxygen; `make docs` looks at each page.
        """
        if header in WITHOUT_EXAMPLE:
            return []
        last = {name.split("::")[-1] for name in self.written}
        classes = [BASIC.sub("", name) for name in re.findall(r"(?m)^class (?:\[\[[^\]]*\]\] )?(?:INGOT_\w+(?:\([^)]*\))? )?(\w+)(?: final)?(?: :.*)? \{", text)]
        lacking = [f"{name} of include/ingot/{header} has no example in tests/pages/reference/" for name in classes if name not in last]
        return lacking if classes or header in self.written else [f"include/ingot/{header} has no example in tests/pages/reference/"]

    def text(self, page):
        """Returns the section of a page, or nothing if it has no example."""
        if page not in self.written:
            return ""
        where, code = self.written[page]
        return f"## Example\n\n```cpp\n{code.strip()}\n```\n\nFrom `{where}`, which the tests compile and run.\n"


def self_test():
    assert tidy("iterator  ingot::v1::insert(const T &value, A &&... more)") == "iterator insert(const T& value, A&&... more)"
    assert sentences("Adds `a. B`. O(1). Throws.") == ["Adds `a. B`.", "O(1).", "Throws."]
    assert sentences("Adds one. (Or two.) O(1).") == ["Adds one.", "(Or two.)", "O(1)."]
    assert with_facts("Adds one. Amortised O(1). Errors: as `a`. `b` if full.") == "Adds one.\n\n- **Complexity:** Amortised O(1).\n- **Errors:** as `a`. `b` if full."
    assert with_facts("Adds one. Errors and complexity: as `a`. Invalidates views.") == "Adds one.\n\n- **Invalidates:** views.\n- **Errors and complexity:** as `a`."
    assert with_links("See docs/live.md.", "reference/a.md") == "See [live](../live.md)."
    assert with_facts("Adds one. O(n). Otherwise O(1). Errors: `a`; `b`. It may throw.") == "Adds one.\n\n- **Complexity:** O(n). Otherwise O(1).\n- **Errors:** `a`; `b`. It may throw."
    member = ElementTree.fromstring("""<memberdef kind="function" explicit="no"><templateparamlist><param><type>class A</type></param></templateparamlist>
      <definition>T * ingot::v1::basic_vector&lt; T, P &gt;::try_emplace</definition><argsstring>(A &amp;&amp;x) noexcept</argsstring><name>try_emplace</name></memberdef>""")
    assert declared(member, "") == "template <class A>\nT* try_emplace(A&& x) noexcept", declared(member, "")
    marked = "// example: map, live/map.hpp\nstruct a {};\nvoid f() {\n  a b;\n  if (b) {\n  }\n}\n\n// example: set\nvoid g() {\n  c();\n}\n"
    assert Examples.marked(marked) == [(["map", "live/map.hpp"], "struct a {};\n\na b;\nif (b) {\n}\n"), (["set"], "c();\n")], Examples.marked(marked)
    shared = "struct a {\n  int x;\n};\nconst a first{1};\na make() { return {}; }\nvoid other() {\n}\n\n// example: map\nvoid f() {\n  use(first, \"make\");\n}\n"
    assert Examples.marked(shared) == [(["map"], "struct a {\n  int x;\n};\nconst a first{1};\n\nuse(first, \"make\");\n")], Examples.marked(shared)
    assert Examples().lost() == []
    assert Examples().lacking("live/none.hpp", "template <class T>\nclass basic_none : base {\nclass box {\nclass later;\n") == ["none of include/ingot/live/none.hpp has no example in tests/pages/reference/"]
    assert Examples().lacking("live/none.hpp", "inline void f();\n") == ["include/ingot/live/none.hpp has no example in tests/pages/reference/"]
    assert Examples().lacking("live/print.hpp", "inline void f();\n") == [] and not set(WITHOUT_EXAMPLE) & set(Examples().written)
    headers = "".join(file.read_text() for file in (ROOT / "include/ingot").glob("*/*.hpp"))
    assert [name for name in INTERNAL_MEMBERS if not re.search(rf"\b{name}\b", headers)] == []
    pair = ElementTree.fromstring("""<memberdef kind="function"><definition>std::pair&lt; iterator, bool &gt; ingot::v1::basic_map&lt; K, V &gt;::emplace</definition>
      <argsstring>(K key)</argsstring><name>emplace</name></memberdef>""")
    array = ElementTree.fromstring("""<memberdef kind="variable"><type>char</type><definition>char ingot::v1::name::chars[64][64]</definition>
      <argsstring>[64]</argsstring><name>chars</name></memberdef>""")
    assert declared(array, "") == "char chars[64]", declared(array, "")
    same = ElementTree.fromstring("""<memberdef kind="variable"><type>comments</type><definition>comments ingot::v1::json::options::comments</definition>
      <argsstring></argsstring><name>comments</name><initializer>= json::comments::reject</initializer></memberdef>""")
    assert declared(same, "") == "comments comments = json::comments::reject", declared(same, "")
    pointer = ElementTree.fromstring("""<memberdef kind="variable"><type>void(*</type><definition>void(* ingot::v1::upgrade::step) (int)</definition>
      <argsstring>)(int)</argsstring><name>step</name></memberdef>""")
    assert declared(pointer, "") == "void(*step)(int)", declared(pointer, "")
    assert declared(pair, "") == "std::pair<iterator, bool> emplace(K key)", declared(pair, "")
    assert comment_text([" Reads <a>.", "", "   f();", "     g();", "", " More", " text."]) == "Reads &lt;a>.\n\n```cpp\nf();\n  g();\n```\n\nMore text."
    assert wrapped("x" * 90 + "(int a, int b)").endswith("int a,\n    int b)")
    assert relative("live.md", "reference/live/vector.md") == "../../live.md"
