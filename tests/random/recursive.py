"""Kernels whose work is done by a recursive device procedure, which stays one on
the CPU: what threads do together in it needs fibers, and what each does alone
is a call within the loop over threads."""
import re

DECLARATION = re.compile(r"\s*(integer|real|logical)\b[^=]*::|\s*integer, value ::")
LEVELS = 2  # calls of itself before the work


def in_procedure(text):
    """The same kernel, with all after its declarations in a procedure."""
    lines = text.split("\n")
    name, parameters = re.match(r"attributes\(global\) subroutine (\w+)\((.*)\)", lines[0]).groups()
    end = next(i for i, line in enumerate(lines) if i and not DECLARATION.match(line))
    interface = [line for line in lines[1:end] if re.search(r":: (n, p|ia\(|aw\(|ra\()", line)]
    procedure = f"{name}_procedure"
    return "\n".join(
        [f"attributes(device) recursive subroutine {procedure}(level, {parameters})",
         "  integer, value :: level", *lines[1:end],
         "  if (level > 0) then",
         f"    call {procedure}(level - 1, &", f"      {parameters})",
         "    return", "  end if",
         *lines[end:], lines[0], *interface,
         f"  call {procedure}({LEVELS}, &", f"    {parameters})", "end subroutine"])
