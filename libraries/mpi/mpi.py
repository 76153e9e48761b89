#!/usr/bin/env python3
"""From procedures.txt: what the modules mpi and mpi_f08 declare, the C functions that
mpi_f08's procedures are, and those that stand before the library's where device
buffers are staged (Stage.h), for Fortran and for C; the same for counts of 64 bits,
and for Open MPI's extensions.

mpi.py mpi|f08|ext|ext-f08|functions|profiling|large|large-profiling|fortran|c|c-large
TABLE OUTPUT

Of the modules these are parts, one block after a line "!@ NAME" for each
procedure: the compiler puts them together with the constants of an installed
mpif.h (compiler/fortran/modules/MpiModules.cpp)."""

import copy
import re
import sys

from procedures import (base_of, extensions, fitting, large_name, large_ones,
                        read_table)

HANDLES = {'C': 'Comm', 'G': 'Group', 'T': 'Datatype', 'O': 'Op',
           'E': 'Errhandler', 'I': 'Info', 'R': 'Request', 'M': 'Message',
           'W': 'Win', 'F': 'File', 'X': 'Session'}
CONSTANTS = {
    'C': 'COMM_WORLD COMM_SELF COMM_NULL', 'G': 'GROUP_EMPTY GROUP_NULL',
    'O': 'OP_NULL MAX MIN SUM PROD LAND BAND LOR BOR LXOR BXOR MAXLOC MINLOC '
         'REPLACE NO_OP',
    'E': 'ERRHANDLER_NULL ERRORS_ARE_FATAL ERRORS_RETURN ERRORS_ABORT',
    'I': 'INFO_NULL INFO_ENV', 'R': 'REQUEST_NULL',
    'M': 'MESSAGE_NULL MESSAGE_NO_PROC', 'W': 'WIN_NULL', 'F': 'FILE_NULL',
    'X': 'SESSION_NULL',
    'T': 'DATATYPE_NULL INTEGER REAL DOUBLE_PRECISION COMPLEX LOGICAL '
         'CHARACTER BYTE PACKED DOUBLE_COMPLEX INTEGER1 INTEGER2 INTEGER4 '
         'INTEGER8 INTEGER16 REAL2 REAL4 REAL8 REAL16 COMPLEX4 COMPLEX8 '
         'COMPLEX16 COMPLEX32 LOGICAL1 LOGICAL2 LOGICAL4 LOGICAL8 LOGICAL16 '
         '2REAL 2DOUBLE_PRECISION 2INTEGER 2COMPLEX 2DOUBLE_COMPLEX CHAR '
         'SHORT INT LONG LONG_LONG_INT LONG_LONG SIGNED_CHAR UNSIGNED_CHAR '
         'UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG UNSIGNED_LONG_LONG FLOAT '
         'DOUBLE LONG_DOUBLE WCHAR C_BOOL INT8_T INT16_T INT32_T INT64_T '
         'UINT8_T UINT16_T UINT32_T UINT64_T C_COMPLEX C_FLOAT_COMPLEX '
         'C_DOUBLE_COMPLEX C_LONG_DOUBLE_COMPLEX CXX_BOOL CXX_COMPLEX '
         'CXX_FLOAT_COMPLEX CXX_DOUBLE_COMPLEX CXX_LONG_DOUBLE_COMPLEX '
         'AINT OFFSET COUNT FLOAT_INT DOUBLE_INT LONG_INT 2INT SHORT_INT '
         'LONG_DOUBLE_INT LB UB',
}
# What the mpi module declares twice, with an address and with a type(c_ptr).
TWO_FORMS = {'MPI_Alloc_mem', 'MPI_Win_allocate', 'MPI_Win_allocate_shared',
             'MPI_Win_shared_query'}
# MPICH's header has a scalar for these arrays.
ANY_RANK = {'weights', 'sourceweights', 'destweights'}
def declaration(argument, f08):
    """The dummy argument, for module mpi or mpi_f08."""
    name, code, dims = argument.name, argument.code, argument.dims
    intent = f'intent({argument.intent})'
    if code == 'b':
        intent = ', intent(in)' if argument.intent == 'in' else ''
        return (f'type(*), dimension(*){intent} :: {name}\n'
                f'!dir$ ignore_tkr(tkrdm) {name}')
    if code.startswith('&'):
        return (f'procedure({code[1:]}) :: {name}' if f08
                else f'external :: {name}')
    if code == 'p':
        return (f'type(cufort_c_ptr), {intent} :: {name}' if f08
                else f'integer(8), {intent} :: {name}')
    if code == 'q':
        return f'type(c_ptr), {intent} :: {name}'
    if code == 'v':
        return f'type(cufort_c_ptr), value :: {name}'
    if code == 'S':
        if f08:
            return f'type(MPI_Status), {intent} :: {name}{dims}'
        return f'integer, {intent} :: {name}(*)'
    if name == 'ierror' and f08 == 'optional':
        return f'integer, optional, {intent} :: {name}'
    if code in HANDLES and f08:
        return f'type(MPI_{HANDLES[code]}), {intent} :: {name}{dims}'
    fortran = {'a': 'integer(8)', 'o': 'integer(8)', 'k': 'integer(8)',
               'l': 'logical', 'c': 'character(len=*)'}.get(code, 'integer')
    text = f'{fortran}, {intent} :: {name}{dims}'
    if name in ANY_RANK and not f08:
        text += f'\n!dir$ ignore_tkr(r) {name}'
    return text


def body(procedure, name, f08, binding=''):
    """An interface body."""
    arguments = ', '.join(each.name for each in procedure.arguments)
    kind = 'function' if procedure.is_function else 'subroutine'
    lines = [f'{kind} {name}({arguments}){binding}']
    codes = {each.code for each in procedure.arguments}
    if f08:
        lines.append('import')
    elif 'q' in codes:
        lines.append('use, intrinsic :: iso_c_binding, only: c_ptr')
    lines.append('implicit none')
    if procedure.is_function:
        lines.append({'a': 'integer(8)',
                      'double': 'double precision'}[procedure.result]
                     + f' :: {name}')
    for each in procedure.arguments:
        text = declaration(each, f08)
        if procedure.section == 'callbacks':
            # The standard's have none, so users' have none.
            text = re.sub(r', intent\(\w+\)', '', text)
        lines.append(text)
    return '\n'.join(lines + [f'end {kind}'])




def profiling(procedures):
    """The same under their names for profiling tools, PMPI_Send for MPI_Send."""
    others = copy.deepcopy(procedures)
    for each in others:
        each.name = 'P' + each.name
    return others


def write_mpi(procedures):
    out = []
    listed = fitting(procedures, 'callbacks', 'predefined')
    for each in listed + profiling(listed):
        out.append(f'!@ {each.name}')
        if each.name.endswith('MPI_Buffer_detach'):
            # The address stays unknown, as in mpif.h.
            each.arguments[0].code = 'b'
        if each.name.removeprefix('P') in TWO_FORMS:
            binding = f' bind(c, name="{each.name.lower()}_")'
            out += [f'interface {each.name}',
                    body(each, each.name + '_address', None, binding)]
            for argument in each.arguments:
                if argument.code == 'p':
                    argument.code = 'q'
            out.append(body(each, each.name + '_cptr', None, binding))
        else:
            out += ['interface', body(each, each.name, None)]
        out.append('end interface')
    # Open MPI's header has them, with the same procedures (mpif-sizeof.inc).
    return out + sizeof('MPI_Sizeof', 'cufort_mpi_sizeof') + \
        sizeof('PMPI_Sizeof', 'cufort_pmpi_sizeof')


def sizeof(generic, name, optional=''):
    return [f'!@ {generic}', f'interface {generic}',
            f'subroutine {name}(x, size, ierror)',
            'type(*), dimension(..), intent(in) :: x',
            '!dir$ ignore_tkr(dm) x',
            'integer, intent(out) :: size',
            f'integer, {optional}intent(out) :: ierror',
            'end subroutine', 'end interface']


def write_f08(procedures):
    out = []
    for code, handle in HANDLES.items():
        out += [f'type, bind(c) :: MPI_{handle}', 'integer :: MPI_VAL',
                'end type']
    for code, names in CONSTANTS.items():
        for name in names.split():
            out += [f'!@constant {HANDLES[code]} MPI_{name}']
    out.append('!@')
    for operator in '==', '/=':
        word = {'==': 'equal', '/=': 'differ'}[operator]
        out.append(f'interface operator({operator})')
        for handle in HANDLES.values():
            out += [f'elemental function cufort_mpi_{handle}_{word}(a, b) '
                    'result(answer)', 'import', 'implicit none',
                    f'type(MPI_{handle}), intent(in) :: a, b',
                    'logical :: answer', 'end function']
        out.append('end interface')
    out.append('abstract interface')
    out += [body(each, each.name, True)
            for each in fitting(procedures) if each.section == 'callbacks']
    out.append('end interface')
    listed = fitting(procedures, 'callbacks')
    for each in listed + profiling(fitting(listed, 'predefined')):
        out.append(f'!@ {each.name}')
        if each.interface:
            out.append(f'procedure({each.interface}) :: {each.name}')
        elif each.is_function:
            out += ['interface', body(each, each.name, True), 'end interface']
        else:
            out += [f'interface {each.name}',
                    body(each, 'cufort_f08_' + each.name, 'optional'),
                    'end interface']
    large_forms = large_ones(procedures)
    for each in large_forms + profiling(large_forms):
        out += [f'!@large {each.name}', f'interface {each.name}',
                body(each, 'cufort_large_' + each.name, 'optional'),
                'end interface']
    for prefix in '', 'p':
        out += sizeof(prefix.upper() + 'MPI_Sizeof',
                      f'cufort_f08_{prefix}mpi_sizeof', 'optional, ')
    for name, first, second in (('f2f08', 'f_status', 'f08_status'),
                                ('f082f', 'f08_status', 'f_status')):
        kinds = {'f_status': 'integer, intent({}) :: f_status(*)',
                 'f08_status': 'type(*), dimension(..), intent({}) :: f08_status'}
        for prefix in '', 'P':
            out += [f'!@ {prefix}MPI_Status_{name}',
                    f'interface {prefix}MPI_Status_{name}',
                    f'subroutine cufort_{prefix}mpi_status_{name}'
                    f'({first}, {second}, ierror)',
                    'implicit none', kinds[first].format('in'),
                    kinds[second].format('inout'),
                    'integer, optional, intent(out) :: ierror',
                    'end subroutine', 'end interface']
    return out


QUERY = """interface
integer(c_int) function MPIX_Query_cuda_support() &
    bind(c, name='MPIX_Query_cuda_support')
import
end function
end interface"""


def write_extensions(procedures, f08):
    out = ['use, intrinsic :: iso_c_binding, only: c_int']
    if f08:
        out += ['use mpi_f08']
    # As mpif.h, it says integer of each constant and then what it is.
    out += ["include 'mpif-ext.h'", QUERY]
    for each in extensions(procedures):
        out += [f'interface {each.name}' if f08 else 'interface',
                body(each, 'cufort_f08_' + each.name, 'optional') if f08
                else body(each, each.name, None), 'end interface']
    return out


# Written by hand, in Functions.c and DataRepresentations.c.
BY_HAND = {'MPI_Buffer_detach'}
LARGE_BY_HAND = {'MPI_Register_datarep_c'}
FUNCTIONS_HEAD = [
    '// Made by mpi.py of procedures.txt: the procedures of mpi_f08, whose',
    '// arguments are those of mpif.h but for an ierror that may be',
    '// absent. All are addresses, but for the lengths of characters.',
    '#include "libraries/mpi/Functions.h"', '']


def write_functions(procedures):
    out = FUNCTIONS_HEAD.copy()
    for handle in HANDLES.values():
        for word, operator in ('equal', '=='), ('differ', '!='):
            out.append(f'int cufort_mpi_{handle.lower()}_{word}_(const int *a, '
                       f'const int *b) {{ return *a {operator} *b; }}')
    return out + functions(fitting(procedures, 'callbacks', 'predefined') +
                           extensions(procedures))


def write_profiling(procedures):
    return FUNCTIONS_HEAD + functions(profiling(
        fitting(procedures, 'callbacks', 'predefined')))


def functions(procedures):
    out = []
    for each in procedures:
        if each.is_function or each.name.removeprefix('P') in BY_HAND:
            continue
        name = each.name.lower()
        count = len(each.arguments)
        lengths = sum(argument.code == 'c' for argument in each.arguments)
        types = ['void *'] * count + ['size_t'] * lengths
        names = [f'a{i}' for i in range(count)]
        names += [f'n{i}' for i in range(lengths)]
        parameters = ', '.join(f'{kind} {word}'
                               for kind, word in zip(types, names)) or 'void'
        weak = each.section == 'mpi-4'
        out.append(f'extern void {name}_({", ".join(types) or "void"})'
                   + (' __attribute__((weak))' if weak else '') + ';')
        out.append(f'void cufort_f08_{name}_({parameters}) {{')
        if weak:
            out.append(f'  if (!{name}_) cufort_mpi_lacks("{each.name}");')
        if not each.result:
            out.append('  long unused;')
            names[count - 1] += f' ? a{count - 1} : &unused'
        out.append(f'  {name}_({", ".join(names)});')
        out.append('}')
    return out


def write_large(procedures):
    """The library has them in C alone, in which handles are the same integers, or
    addresses (Open MPI)."""
    out = ['// Made by mpi.py of procedures.txt: the procedures of mpi_f08 with',
           '// large counts.',
           '#include "libraries/mpi/Functions.h"', '']
    for each in procedures:
        if each.name.removeprefix('P') in LARGE_BY_HAND:
            continue
        arguments = each.arguments[:-1]
        words = [f'a{i}' for i in range(len(each.arguments))]
        name = large_name(each)
        texts = [f'n{i}' for i, argument in enumerate(arguments)
                 if argument.code == 'c']
        out.append(f'extern int {name}('
                   + ', '.join(['void *'] * len(arguments)) + ');')
        out.append(f'void cufort_large_{each.name.lower()}_('
                   + ', '.join([f'void *{word}' for word in words]
                               + [f'size_t {text}' for text in texts]) + ') {')
        out.append(f'  cufort_mpi_needs_large("{name}");')
        for text in texts:
            word = text.replace('n', 'a')
            out += [f'  char c{word}[MostCharacters];',
                    f'  cufort_mpi_text(c{word}, {word}, {text});']
        passed = []
        for word, argument in zip(words, arguments):
            if argument.code == 'b':
                passed.append(f'cufort_mpi_buffer({word})')
            elif argument.code == 'S':
                passed.append(f'cufort_mpi_status({word})')
            elif argument.code == 'c':
                passed.append('c' + word)
            elif argument.dims or argument.intent != 'in' or \
                    argument.code.startswith('&'):
                passed.append(word)
            elif argument.code in 'kao':
                passed.append(f'cufort_mpi_long({word})')
            else:
                passed.append(f'cufort_mpi_int({word})')
        out += [f'  const int error = {name}(' + ', '.join(passed) + ');',
                f'  if ({words[-1]}) *(int *){words[-1]} = error;', '}']
    return out


# How many elements the buffers of a collective have: sent, received.
COLLECTIVES = {
    'gather': ('Once', 'CommSize'), 'gatherv': ('Once', 'Counts'),
    'scatter': ('CommSize', 'Once'), 'scatterv': ('Counts', 'Once'),
    'allgather': ('Once', 'CommSize'), 'allgatherv': ('Once', 'Counts'),
    'alltoall': ('CommSize', 'CommSize'), 'alltoallv': ('Counts', 'Counts'),
    'reduce_scatter_block': ('CommSize', 'OwnBlock'),
    'reduce_scatter': ('SumOfCounts', 'OwnCount'),
    'neighbor_allgather': ('Once', 'InDegree'),
    'neighbor_allgatherv': ('Once', 'CountsIn'),
    'neighbor_alltoall': ('OutDegree', 'InDegree'),
    'neighbor_alltoallv': ('CountsOut', 'CountsIn'),
}
AT_ROOT = {('gather', 'recvbuf'), ('gatherv', 'recvbuf'), ('reduce', 'recvbuf'),
           ('scatter', 'sendbuf'), ('scatterv', 'sendbuf')}
# Their buffers are used after the call without a request, or by others.
NOT_STAGED = {'buffer_attach', 'psend', 'precv', 'alltoallw', 'ialltoallw',
              'neighbor_alltoallw', 'ineighbor_alltoallw'}
# These take addresses and do not read what is there.
ADDRESSES = {'get_address', 'f_sync_reg', 'free_mem', 'win_attach',
             'win_detach', 'buffer_detach'}


class Staging:
    """What Stage.h's Call says of a procedure."""

    def __init__(self, procedure, is_large=False):
        self.is_large = is_large
        names = [each.name for each in procedure.arguments]
        index = {name: i for i, name in enumerate(names)}
        base = base_of(procedure)
        self.persistent = base.endswith('_init')
        base = base.removesuffix('_init')
        if 'request' in index and not self.persistent:
            base = re.sub(r'^(file_)?i', r'\1', base)
        self.refused = (base in NOT_STAGED or procedure.section == 'one-sided'
                        or base.startswith('win_') or base.endswith(('_begin', '_end')))
        self.comm = index.get('comm', -1)
        self.root = index.get('root', -1)
        self.request = index.get('request', -1)
        self.buffers = [self.buffer(base, each, index)
                        for each in procedure.arguments if each.code == 'b']

    def buffer(self, base, argument, index):
        name = argument.name
        times = 'Once'
        stem = {'sendbuf': 'send', 'recvbuf': 'recv', 'inbuf': 'in',
                'outbuf': 'out'}.get(name, '')
        count = index.get(stem + 'count', index.get('count', -1))
        count = index.get(stem + 'counts', count)
        kind = index.get(stem + 'type', index.get('datatype', -1))
        displacements = index.get(stem[:1] + 'displs', index.get('displs', -1))
        if base in COLLECTIVES:
            times = COLLECTIVES[base][name == 'recvbuf']
        if base.startswith('reduce_scatter'):
            count = index.get('recvcounts', index.get('recvcount'))
        if base.startswith('pack') and name == 'outbuf':
            count, kind, times = index['outsize'], -1, 'Bytes'
        if base.startswith('unpack') and name == 'inbuf':
            count, kind, times = index['insize'], -1, 'Bytes'
        root_only = (base, name) in AT_ROOT
        flags = [argument.intent != 'out', argument.intent != 'in', root_only]
        if not self.refused and (count < 0 or (kind < 0 and times != 'Bytes')):
            sys.exit(f'procedures.txt: no count or type of {name} in {base}')
        return (f'{{{index[name]}, {count}, {kind}, {displacements}, '
                f'Times::{times}, '
                + ', '.join(str(each).lower() for each in flags) + '}')

    def text(self, name):
        refused = str(self.refused).lower()
        persistent = str(self.persistent).lower()
        return (f'{{"{name}", {self.comm}, {self.root}, {self.request}, '
                f'{len(self.buffers)}, {persistent}, {refused}, '
                f'{str(self.is_large).lower()}, '
                f'{{{", ".join(self.buffers)}}}}}')


def write_calls(procedures, language, suffix=''):
    fortran = language == 'fortran'
    out = ['// Made by mpi.py of procedures.txt: what stands before the functions',
           '// of the library that have buffers.',
           '#include "libraries/mpi/Interfaces.h"', '',
           'using namespace cufort::mpi;', '', 'extern "C" {']
    for each in procedures:
        base = base_of(each)
        if base in ADDRESSES or not any(argument.code == 'b'
                                        for argument in each.arguments):
            continue
        name = each.name.lower() + '_' if fortran else \
            large_name(each) if suffix else each.name
        parameters = each.arguments if fortran else [
            argument for argument in each.arguments
            if argument.name != 'ierror']
        count = len(parameters)
        if fortran:
            count += sum(argument.code == 'c' for argument in parameters)
        types = ', '.join(['void *'] * count)
        result = 'void' if fortran else 'int'
        library = ('p' if fortran else 'P') + name
        weak = ('__attribute__((weak)) ' if suffix or each.section == 'mpi-4'
                else '')
        words = [f'a{i}' for i in range(count)]
        call = 'next(' + ', '.join(f'a[{i}]' for i in range(count)) + ')'
        out += [f'{weak}{result} {library}({types});',
                # Programs may have their own, for profiling.
                f'__attribute__((weak)) {result} {name}('
                + ', '.join(f'void *{word}' for word in words) + ') {',
                f'  static const auto next = '
                f'reinterpret_cast<{result} (*)({types})>(',
                f'      libraryFunction("{name}", '
                f'reinterpret_cast<void *>(&{library})));',
                '  if (!looksAtBuffers())',
                f'    return next({", ".join(words)});',
                '  static constexpr Call call = '
                + Staging(each, bool(suffix)).text(
                    large_name(each) if suffix else each.name) + ';',
                f'  void *a[] = {{{", ".join(words)}}};',
                f'  StagedBuffers staged = begin({language}(), call, a);',
                '  ' + ('' if fortran else 'const int result = ') + call + ';',
                f'  end({language}(), call, a, std::move(staged));']
        if not fortran:
            out.append('  return result;')
        out.append('}')
    out.append('}')
    return out


def main():
    what, table, output = sys.argv[1:]
    writers = {'mpi': write_mpi, 'f08': write_f08,
               'ext': lambda all: write_extensions(all, False),
               'ext-f08': lambda all: write_extensions(all, True),
               'functions': write_functions, 'profiling': write_profiling,
               'large': lambda all: write_large(large_ones(all)),
               'large-profiling':
               lambda all: write_large(profiling(large_ones(all))),
               'fortran': lambda all: write_calls(
                   fitting(all) + extensions(all), 'fortran'),
               'c': lambda all: write_calls(fitting(all) + extensions(all), 'c'),
               'c-large': lambda all: write_calls(large_ones(all), 'c', '_c')}
    lines = writers[what](read_table(table))
    with open(output, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
