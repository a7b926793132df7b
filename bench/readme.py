"""Writes the output of runs between the two markers of README.md."""
import pathlib
import re
import textwrap

PATH = pathlib.Path(__file__).with_name("README.md")
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"


def sections(text):
    """Returns (the text before the first heading of level 3, {heading: its section})."""
    first, *others = re.split(r"^(?=### )", text, flags=re.MULTILINE)
    return first.strip(), {part.partition("\n")[0]: part.strip() for part in others}


def replace(old, printed, command, whole):
    """Returns the new text between the markers. A whole run replaces all of it. A partial run
    replaces its own sections and labels them."""
    head, new = sections(re.sub(r"^## ", "### ", printed, flags=re.MULTILINE))
    if whole:
        return "\n\n".join([f"`{command}`:", head, *new.values()])
    old_head, kept = sections(old)
    facts = " ".join(head.split("\n"))
    for heading, section in new.items():
        title, _, rest = section.partition("\n")
        note = textwrap.fill(f"From a separate run, `{command}`: {facts}", 100)
        kept[heading] = f"{title}\n\n{note}\n\n{rest.strip()}"
    return "\n\n".join([old_head, *kept.values()])


def update(printed, command, whole):
    """printed: the output of the run. The machine and its load come first, then each table after a
    heading of level 2."""
    text = PATH.read_text()
    before, found, rest = text.partition(BEGIN)
    old, ended, after = rest.partition(END)
    if not found or not ended:
        raise ValueError(f"{PATH} does not have both markers")
    new = replace(old, printed, command, whole).strip()
    PATH.write_text(f"{before}{BEGIN}\n{new}\n\n{END}{after}")
