"""Writes the routines of NVIDIA's that the libraries' tables call absent or removed,
as rows of a table of C++ for the compiler's messages.

usage: absent.py OUTPUT NAME.table...
"""
import sys

from tables import Table


def main():
    output, *tables = sys.argv[1:]
    with open(output, "w", encoding="utf-8") as file:
        for table in map(Table, tables):
            rows = {name: ("", "") for name in table.absent} | table.removed
            for name, (release, instead) in rows.items():
                file.write(f'{{"{name.lower()}", "{name}", "{table.name}", '
                           f'"{release}", "{instead}"}},\n')


if __name__ == "__main__":
    main()
