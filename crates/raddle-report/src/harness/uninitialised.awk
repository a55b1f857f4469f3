# Assembly in, assembly out. gcc's -ftrivial-auto-var-init=pattern stores a pattern where an automatic variable is declared without a value: there the runtime
# is asked for the recorded value. A store of the pattern that the program wrote itself is left as it is, since nothing is recorded for its line.
function ask(place, size)
{
  if (bits == 64)
    printf "\tpushq\t%%rdi\n\tleaq\t%s, %%rdi\n\tcall\traddle_uninitialised%d\n\tpopq\t%%rdi\n", place, size
  else
    printf "\tpushl\t%%eax\n\tleal\t%s, %%eax\n\tcall\traddle_uninitialised%d\n\tpopl\t%%eax\n", place, size
}
function place(line) { sub(/^[^,]*, */, "", line); return line }
{ print }
/^\tmovl\t\$-16843010, .*\(%[er][bs][xp]\)$/ { ask(place($0), 4) }
/^\tmovw\t\$-258, .*\(%[er][bs][xp]\)$/ { ask(place($0), 2) }
/^\tmovb\t\$(-2|0), .*\(%[er][bs][xp]\)$/ { ask(place($0), 1) }
# Eight bytes go through a register.
/^\tmovabsq\t\$-72340172838076674, %r/ { register = place($0); next }
register != "" && index($0, "\tmovq\t" register ", ") == 1 && /\)$/ { ask(place($0), 8); next }
register != "" && substr($0, length($0) - length(register) + 1) == register { register = "" }
/^[^.\t ].*:$/ { register = "" }
