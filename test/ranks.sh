# ranks.sh: what the tests of runs on several ranks share. THRONG is the program, RANKS the same with MPI.

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1

# ranks N ARGUMENTS...: the program on so many ranks
ranks() {
    count=$1
    shift
    timeout 300 mpirun -n "$count" "$RANKS" "$@"
}
digest() { sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' "$1"; }
same() {
    [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ] || { echo "$3: $(digest "$2"), not $(digest "$1")"; exit 1; }
}
