#!/usr/bin/env python3
"""Prints cufort/random/tables.h: what the generators of curand_kernel.h skip
ahead by.

XORWOW's five words are a linear function of the five before them, T. By its
characteristic polynomial p (found from the generator's own bits, by Berlekamp
and Massey), T**n is a polynomial of degree below 160: x**n mod p. MRG32k3a is
a product of two matrices of 3 by 3, modulo two primes.
"""
import sys

STEPS = 160
# Distances of subsequences and sequences, as powers of two (cuRAND's guide).
XORWOW_SEQUENCE = 67
MRG_SUBSEQUENCE, MRG_SEQUENCE = 76, 127


def xorwow_bits(count):
    v = [1, 0, 0, 0, 0]
    for _ in range(count):
        t = v[0] ^ (v[0] >> 2)
        last = v[4] ^ (v[4] << 4) ^ t ^ (t << 1)
        v = v[1:] + [last & 0xFFFFFFFF]
        yield v[4] & 1


def characteristic(bits):
    """The shortest recurrence of bits, as a polynomial: bit i is x**i's."""
    current, before, length, since = 1, 1, 0, 1
    for i, bit in enumerate(bits):
        for j in range(1, length + 1):
            bit ^= (current >> j) & bits[i - j]
        if not bit:
            since += 1
        elif 2 * length <= i:
            current, before = current ^ (before << since), current
            length, since = i + 1 - length, 1
        else:
            current ^= before << since
            since += 1
    assert length == STEPS
    return int(f"{current:0{STEPS + 1}b}"[::-1], 2)


def product(a, b, p):
    result = 0
    while b:
        if b & 1:
            result ^= a
        b >>= 1
        a <<= 1
        if a >> STEPS:
            a ^= p
    return result


def power_of_two(a, n, p):
    for _ in range(n):
        a = product(a, a, p)
    return a


def words(value, count):
    return [(value >> (32 * i)) & 0xFFFFFFFF for i in range(count)]


def xorwow(name, start, p):
    """x**(d * 16**k * 2**start) mod p for the 16 digits d of each k."""
    rows, base = [], power_of_two(2, start, p)
    for _ in range(16):
        each = 1
        for _ in range(15):
            each = product(each, base, p)
            rows += words(each, 5)
        base = power_of_two(base, 4, p)
    return table(name, "[16][15][5]", rows)


def matrices(name, start):
    """Both matrices to the power of 2**(start + k), for k below 64."""
    numbers = []
    for modulus, matrix in (
            (4294967087, [[0, 1, 0], [0, 0, 1], [-810728, 1403580, 0]]),
            (4294944443, [[0, 1, 0], [0, 0, 1], [-1370589, 0, 527612]])):
        for k in range(start + 64):
            if k >= start:
                numbers += [x % modulus for row in matrix for x in row]
            matrix = [[sum(a * b for a, b in zip(row, column)) % modulus
                       for column in zip(*matrix)] for row in matrix]
    return table(name, "[2][64][9]", numbers)


def table(name, shape, numbers):
    lines = [", ".join(f"{n}u" for n in numbers[i:i + 5])
             for i in range(0, len(numbers), 5)]
    return (f"static __device__ const unsigned int {name}{shape} = {{\n  "
            + ",\n  ".join(lines) + "};\n")


def main():
    bits = list(xorwow_bits(2 * STEPS + 64))
    p = characteristic(bits)
    parts = [
        "// Made by random_tables.py.\n",
        xorwow("__cufort_xorwow_steps", 0, p),
        xorwow("__cufort_xorwow_sequences", XORWOW_SEQUENCE, p),
        matrices("__cufort_mrg_steps", 0),
        matrices("__cufort_mrg_subsequences", MRG_SUBSEQUENCE),
        matrices("__cufort_mrg_sequences", MRG_SEQUENCE),
    ]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(parts))


main()
