"""The procedures of procedures.txt, their arguments' types, and those that follow from
them: with counts of 64 bits, and Open MPI's extensions."""

import copy
import re
import sys

# The types of arguments by their names; every other one is an integer.
NAMES = {
    'C': 'comm newcomm', 'G': 'group group1 group2 newgroup',
    'T': 'datatype sendtype recvtype sendtypes recvtypes oldtype newtype '
         'array_of_types origin_datatype target_datatype result_datatype '
         'etype filetype',
    'O': 'op', 'E': 'errhandler', 'I': 'info info_used newinfo array_of_info',
    'R': 'request array_of_requests', 'M': 'message', 'W': 'win', 'F': 'fh',
    'X': 'session',
    'S': 'status array_of_statuses',
    'b': 'buf sendbuf recvbuf inbuf outbuf inoutbuf buffer origin_addr '
         'result_addr compare_addr base location',
    'p': 'baseptr buffer_addr', 'o': 'offset',
    'a': 'lb extent true_lb true_extent address attribute_val extra_state '
         'target_disp',
    'l': 'flag commute periods reorder high weighted',
    'c': 'type_name comm_name win_name filename datarep port_name '
         'service_name pset_name stringtag',
}
TYPE_OF = {name: code for code, names in NAMES.items()
           for name in names.split()}
# What MPI 4 counts with 64 bits where the procedure has a datatype.
LARGE = {'count', 'sendcount', 'recvcount', 'sendcounts', 'recvcounts', 'displs',
         'sdispls', 'rdispls', 'origin_count', 'target_count', 'result_count',
         'blocklength', 'stride', 'array_of_blocklengths',
         'array_of_displacements', 'array_of_sizes', 'array_of_subsizes',
         'array_of_starts', 'array_of_gsizes', 'incount', 'outcount', 'insize',
         'outsize', 'position'}
DIRECTIONS = {'': 'in', '>': 'out', '=': 'inout'}


class Argument:
    def __init__(self, text):
        match = re.fullmatch(r'(\w+)(\(\w*\))?([>=]?)(?::(\S+))?', text)
        if not match:
            sys.exit(f'procedures.txt: argument "{text}"')
        self.name, dims, direction, code = match.groups()
        self.intent = DIRECTIONS[direction]
        self.code = code or TYPE_OF.get(self.name, 'i')
        self.dims = ''
        if dims:
            first = dims[1:-1]
            self.dims = f'({first},*)' if first else '(*)'


class Procedure:
    def __init__(self, section, line):
        name, *arguments = line.split()
        self.section = section
        self.name, _, self.result = name.partition('@')
        self.interface = None
        if arguments and arguments[0].startswith('&'):
            self.interface = arguments.pop()[1:]
        self.arguments = [Argument(each) for each in arguments]
        if not self.result and not self.interface:
            self.arguments.append(Argument('ierror>'))

    @property
    def is_function(self):
        return self.result in ('a', 'double')


def fitting(procedures, *excluded):
    return [each for each in procedures
            if each.section not in ('large', *excluded)]


def large(procedure):
    """The form with large counts, or nothing."""
    codes = {each.code for each in procedure.arguments}
    if 'T' not in codes or 'c' in codes or procedure.is_function or \
            procedure.section == 'callbacks' or \
            procedure.name == 'MPI_Status_set_elements':
        return None
    other = copy.deepcopy(procedure)
    changed = False
    for each in other.arguments:
        if each.code == 'i' and (each.name in LARGE or (
                each.name == 'size' and each.intent == 'out')):
            each.code = 'k'
            changed = True
    return other if changed else None


def large_ones(procedures):
    """Those that follow from the others, and those that the table lists."""
    return [each for each in map(large, fitting(procedures)) if each] + \
        [each for each in procedures if each.section == 'large']


def large_name(procedure):
    """C's name of a form with large counts. Where Fortran's generic names cannot
    tell both forms apart, theirs has the _c as well."""
    return procedure.name.removesuffix('_c') + '_c'


def extensions(procedures):
    """What Open MPI 4 has of MPI 4, under its own names."""
    all_of_them = []
    for each in procedures:
        if each.section == 'mpi-4' and each.name.endswith('_init') and \
                not re.match('MPI_(Psend|Precv|Session)', each.name):
            other = copy.deepcopy(each)
            other.name = each.name.replace('MPI_', 'MPIX_')
            all_of_them.append(other)
    return all_of_them


def base_of(procedure):
    return procedure.name.lower().split('_', 1)[1]


def read_table(path):
    section, procedures = '', []
    with open(path, encoding='utf-8') as table:
        for line in table:
            line = line.split('#')[0].strip()
            if line.startswith('['):
                section = line.strip('[]')
            elif line:
                procedures.append(Procedure(section, line))
    return procedures
