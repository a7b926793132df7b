"""The forms of a page, filled as a browser would send them."""
import html.parser
import urllib.parse


class Forms(html.parser.HTMLParser):
    """.forms: {action, fields: {name: value}, buttons} of each form."""

    def __init__(self, page):
        super().__init__()
        self.forms, self.inside, self.select = [], None, None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        name, value = found.get("name"), found.get("value") or ""
        if tag == "form":
            self.inside = {"action": found.get("action"), "fields": {}, "buttons": set()}
            self.forms.append(self.inside)
        elif self.inside is None:
            return
        elif tag == "select":
            self.select = name
            self.inside["fields"][name] = ""
        elif tag == "option" and "selected" in found:
            self.inside["fields"][self.select] = value
        elif tag == "button":
            self.inside["buttons"].add(value)
        elif tag == "input" and (found.get("type") not in ("checkbox", "radio")
                                 or "checked" in found):
            self.inside["fields"][name] = value

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = None


def filled(page, button, **values):
    """(action or None, body) of the form that has the button `do`."""
    form = next(form for form in Forms(page).forms if button in form["buttons"])
    fields = {**form["fields"], "do": button, **values}
    return form["action"], urllib.parse.urlencode(fields)
