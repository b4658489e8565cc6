#!/bin/sh
# A sweep as an array of jobs on a Slurm of one node, started here and ended at the end: test/cluster/slurm.sh PROGRAM
# DIRECTORY. The joined table must be that of a sweep without Slurm. Needs slurm-wlm, and root as Slurm's own rules are.
set -eu
program=$1 work=$2
rm -rf "$work"
mkdir -p "$work/spool" "$work/state"
cd "$work"
host=$(hostname -s)
cat >slurm.conf <<TXT
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
AuthType=auth/none
CredType=cred/none
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
TXT
export SLURM_CONF="$work/slurm.conf"
end() { for pid in slurmd.pid slurmctld.pid; do [ ! -s $pid ] || kill "$(cat $pid)" || true; done; }
trap end EXIT
slurmctld
slurmd
tries=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || { echo "Slurm does not come up:"; tail -n 5 slurmctld.log slurmd.log; exit 1; }
    sleep 0.5
done

set -- demo/bottleneck --set "agents[0].count=20,40" --set duration=10 --models orca,none --seeds 5 --few-figures
"$program" sweep "$@" --slurm job.sh --parts 6 -o all.sqlite
"$program" sweep "$@" -q --csv alone.csv
THRONG=$program sbatch --wait job.sh
"$program" sweep --merge all.part-*.sqlite -o all.sqlite --csv joined.csv
for file in alone joined; do sed -E 's/(,[^,]*){2}$//' $file.csv >$file; done # without times
cmp alone joined
echo "A sweep of $(($(wc -l <joined) - 1)) runs on Slurm $(sinfo --version | cut -d' ' -f2) gave the same table as without it."
