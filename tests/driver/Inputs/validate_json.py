#!/usr/bin/env python3
"""Validates a JSON file against a JSON schema, of which it knows the words that
our schemas use; any other word is an error.

usage: validate_json.py SCHEMA FILE
"""
import json
import re
import sys

SILENT = {"$schema", "title", "description", "$defs"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Validator:
    def __init__(self, schema):
        self.root = schema
        self.problems = []

    def check(self, value, schema, place):
        for word, rule in schema.items():
            if word in SILENT:
                continue
            method = getattr(self, "check_" + word.lstrip("$"), None)
            if not method:
                raise SystemExit(f"the schema's word {word} is not known")
            method(value, rule, place, schema)

    def expect(self, right, place, what):
        if not right:
            self.problems.append(f"{place}: {what}")

    def check_ref(self, value, rule, place, _):
        target = self.root
        for part in rule.removeprefix("#/").split("/"):
            target = target[part]
        self.check(value, target, place)

    def check_type(self, value, rule, place, _):
        names = rule if isinstance(rule, list) else [rule]
        self.expect(any(is_type(value, name) for name in names), place, f"is not {rule}")

    def check_enum(self, value, rule, place, _):
        self.expect(value in rule, place, f"is none of {rule}")

    def check_minimum(self, value, rule, place, _):
        self.expect(value >= rule, place, f"is less than {rule}")

    def check_pattern(self, value, rule, place, _):
        self.expect(re.search(rule, value), place, f"does not match {rule}")

    def check_minItems(self, value, rule, place, _):
        self.expect(len(value) >= rule, place, f"has fewer than {rule} items")

    def check_maxItems(self, value, rule, place, _):
        self.expect(len(value) <= rule, place, f"has more than {rule} items")

    def check_items(self, value, rule, place, _):
        for number, item in enumerate(value):
            self.check(item, rule, f"{place}[{number}]")

    def check_required(self, value, rule, place, _):
        for name in rule:
            self.expect(name in value, place, f"lacks {name}")

    def check_properties(self, value, rule, place, _):
        for name, inner in rule.items():
            if name in value:
                self.check(value[name], inner, f"{place}.{name}")

    def check_additionalProperties(self, value, rule, place, schema):
        for name in value:
            self.expect(rule or name in schema["properties"], place, f"has {name}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        value = json.load(file)
    validator = Validator(schema)
    validator.check(value, schema, "$")
    print("\n".join(validator.problems) or "valid")
    return 1 if validator.problems else 0


if __name__ == "__main__":
    sys.exit(main())
