# Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of Fortran over the variables of a frame."""

import operator
import re

import cufort_dwarf as dwarf
from cufort_values import Locations, Unavailable, Value

TOKEN = re.compile(
    r"""\s*(?:
    (?P<real>(?:\d+\.\d*(?![a-z]*\.)|\.\d+)(?:[ed][+-]?\d+)?(?:_\d+)?
            |\d+[ed][+-]?\d+(?:_\d+)?)
  | (?P<integer>\d+)(?:_\d+)?
  | (?P<text>'(?:[^']|'')*'|"[^"]*")
  | (?P<logical>\.(?:true|false)\.)
  | (?P<operator>\.(?:and|or|not|eqv|neqv|eq|ne|lt|le|gt|ge)\.
               |\*\*|==|/=|!=|<=|>=|&&|\|\||::|[-+*/%(),:<>!])
  | (?P<name>[a-z_$.][\w$.]*?(?=::|[^\w$.]|$))
  )""",
    re.VERBOSE | re.IGNORECASE,
)
COMPARISONS = {
    "==": operator.eq,
    ".eq.": operator.eq,
    ".eqv.": operator.eq,
    "/=": operator.ne,
    "!=": operator.ne,
    ".ne.": operator.ne,
    ".neqv.": operator.ne,
    "<": operator.lt,
    ".lt.": operator.lt,
    "<=": operator.le,
    ".le.": operator.le,
    ">": operator.gt,
    ".gt.": operator.gt,
    ">=": operator.ge,
    ".ge.": operator.ge,
}


class Scope:
    """The variables that a place of the program sees."""

    def __init__(self, image, frame):
        self.image = image
        self.entries = image.scopes(frame.pc)
        procedure = next(
            (each for each in self.entries if each.tag == dwarf.SUBPROGRAM), None
        )
        self.locations = Locations(frame, procedure)

    @property
    def is_fortran(self):
        return bool(self.entries)

    def own(self):
        """What is declared here, inner ones before those that they hide."""
        seen = set()
        for scope in self.entries:
            for each in scope.children:
                if each.tag not in (dwarf.VARIABLE, dwarf.FORMAL):
                    continue
                name = each.title.lower()
                # Bounds that Flang computes have names of its own.
                if name and name not in seen and not name.startswith("._q"):
                    seen.add(name)
                    yield each

    def find(self, name, module=None):
        if module is None:
            for each in self.own():
                if each.title.lower() == name:
                    return each
        units = self.image.fortran_units()
        here = self.entries[0].unit if self.entries else None
        for unit in sorted(units, key=lambda unit: unit is not here):
            unit.read_all()
            for outer in unit.top.children:
                if outer.tag != dwarf.MODULE or (
                    module and (outer.name or "").lower() != module
                ):
                    continue
                for each in outer.children:
                    if each.tag == dwarf.VARIABLE and each.title.lower() == name:
                        return each
        raise Unavailable(f"no variable here is called {name}")

    def variable(self, name, module=None):
        return self.locations.variable(self.find(name, module))


class Parser:
    """By descent, from the operators that bind least."""

    def __init__(self, words, scope, functions=None):
        self.tokens, at = [], 0
        words = words.strip()
        while at < len(words):
            match = TOKEN.match(words, at)
            if not match or match.end() == at:
                raise Unavailable(f"'{words[at:]}' is not understood")
            self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
            at = match.end()
        self.at, self.scope, self.functions = 0, scope, functions or {}

    def whole(self):
        value = self.disjunction()
        if self.at != len(self.tokens):
            raise Unavailable(f"'{self.tokens[self.at][1]}' is not expected")
        return value

    def took(self, *words):
        if self.at < len(self.tokens):
            kind, word = self.tokens[self.at]
            if kind == "operator" and word.lower() in words:
                self.at += 1
                return word.lower()
        return None

    def needs(self, word):
        if not self.took(word):
            raise Unavailable(f"'{word}' is missing")

    def literal(self, value):
        return Value(None, None, literal=value)

    def disjunction(self):
        left = self.conjunction()
        while self.took(".or.", "||"):
            right = self.conjunction().plain()
            left = self.literal(bool(left.plain()) or bool(right))
        return left

    def conjunction(self):
        left = self.negation()
        while self.took(".and.", "&&"):
            right = self.negation().plain()
            left = self.literal(bool(left.plain()) and bool(right))
        return left

    def negation(self):
        if self.took(".not.", "!"):
            return self.literal(not self.negation().plain())
        left = self.sum()
        while word := self.took(*COMPARISONS):
            right = self.sum().plain()
            left = self.literal(COMPARISONS[word](left.plain(), right))
        return left

    def sum(self):
        sign = self.took("+", "-")
        left = self.product()
        if sign == "-":
            left = self.literal(-left.plain())
        while word := self.took("+", "-"):
            right = self.product().plain()
            left = left.plain()
            left = self.literal(left + right if word == "+" else left - right)
        return left

    def product(self):
        left = self.power()
        while word := self.took("*", "/"):
            left, right = left.plain(), self.power().plain()
            if word == "*":
                left = self.literal(left * right)
            elif right == 0:
                raise Unavailable("division by zero")
            elif isinstance(left, int) and isinstance(right, int):
                quotient = abs(left) // abs(right)
                negative = (left < 0) != (right < 0)
                left = self.literal(-quotient if negative else quotient)
            else:
                left = self.literal(left / right)
        return left

    def power(self):
        left = self.primary()
        if self.took("**"):
            sign = -1 if self.took("-") else 1
            left = self.literal(left.plain() ** (sign * self.power().plain()))
        return left

    def primary(self):
        if self.took("("):
            value = self.disjunction()
            self.needs(")")
            return value
        if self.at == len(self.tokens):
            raise Unavailable("the expression is not complete")
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "integer":
            return self.literal(int(word))
        if kind == "real":
            return self.literal(float(re.sub("[dD]", "e", word.split("_")[0])))
        if kind == "text":
            return self.literal(word[1:-1].replace("''", "'"))
        if kind == "logical":
            return self.literal(word.lower() == ".true.")
        if kind != "name":
            raise Unavailable(f"'{word}' is not expected")
        return self.reference(word.lower())

    def reference(self, name):
        if name in self.functions and self.took("("):
            return self.literal(self.functions[name](*self.arguments()))
        if self.took("::"):
            _, member = self.tokens[self.at]
            self.at += 1
            value = self.scope.variable(member.lower(), name)
        else:
            value = self.scope.variable(name)
        while True:
            if self.took("%"):
                _, member = self.tokens[self.at]
                self.at += 1
                value = value.component(member.lower())
            elif self.took("("):
                value = value.subscript(self.subscripts())
            else:
                return value

    def arguments(self):
        found = []
        while not self.took(")"):
            found.append(self.disjunction().plain())
            self.took(",")
        return found

    def subscripts(self):
        found = []
        while True:
            first = None if self.follows(":") else self.disjunction().plain()
            if self.took(":"):
                last = None if self.follows(":", ",", ")") else self.disjunction().plain()
                step = self.disjunction().plain() if self.took(":") else 1
                found.append((first, last, step or 1))
            else:
                found.append(first)
            if self.took(")"):
                return found
            self.needs(",")

    def follows(self, *words):
        return self.at < len(self.tokens) and self.tokens[self.at][1] in words


def evaluate(words, scope, functions=None):
    return Parser(words, scope, functions).whole()
