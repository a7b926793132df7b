"""The figures in README.md: what stands between the two markers is what runs printed."""
import pathlib
import re
import textwrap

PATH = pathlib.Path(__file__).with_name("README.md")
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"


def sections(text):
    """(what comes before the first heading, {heading: its section}), of the third level."""
    first, *others = re.split(r"^(?=### )", text, flags=re.MULTILINE)
    return first.strip(), {part.partition("\n")[0]: part.strip() for part in others}


def replace(old, printed, command, whole):
    """The text between the markers. A whole run replaces all of it; a part only its own sections,
    which say so."""
    head, new = sections(re.sub(r"^## ", "### ", printed, flags=re.MULTILINE))
    if whole:
        return "\n\n".join([f"`{command}`:", head, *new.values()])
    old_head, kept = sections(old)
    facts = " ".join(head.split("\n"))
    for heading, section in new.items():
        title, _, rest = section.partition("\n")
        note = textwrap.fill(f"Of a run of its own, `{command}`: {facts}", 100)
        kept[heading] = f"{title}\n\n{note}\n\n{rest.strip()}"
    return "\n\n".join([old_head, *kept.values()])


def update(printed, command, whole):
    """printed: of the run, a heading of the second level before each table, and before the first
    the machine and what it was doing."""
    text = PATH.read_text()
    before, found, rest = text.partition(BEGIN)
    old, ended, after = rest.partition(END)
    if not found or not ended:
        raise ValueError(f"{PATH} has no place for figures")
    new = replace(old, printed, command, whole).strip()
    PATH.write_text(f"{before}{BEGIN}\n{new}\n\n{END}{after}")
