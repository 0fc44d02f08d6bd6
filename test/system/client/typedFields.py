"""Prints the fields of what is typed as a dictionary, by name: those that must be there, and those that may."""

import json

from waypost import types

typed = {name: value for name, value in vars(types).items() if hasattr(value, "__required_keys__")}
fields = {name: [sorted(value.__required_keys__), sorted(value.__optional_keys__)] for name, value in typed.items()}
print(json.dumps({name: value for name, value in fields.items() if not name.startswith("_")}))
