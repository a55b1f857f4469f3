#!/bin/sh
# A Slurm cluster of one node, this machine, for tests: no systemd, no accounting, ports and files of its own.
#
#   slurm_node.sh start FOLDER PORT     starts munged, slurmctld and slurmd, and waits until the node is idle;
#                                       use it with SLURM_CONF=FOLDER/slurm.conf
#   slurm_node.sh stop FOLDER
#
# PORT and PORT+1 are used. Exit status 77: Slurm or munge is not installed, or may not be started by this user.
set -eu

folder=$2

# The processes that `start` noted, and no others.
stop() {
    for name in slurmd slurmctld munged; do
        [ -s "$folder/$name.pid" ] || continue
        pid=$(cat "$folder/$name.pid")
        kill "$pid" 2> /dev/null || continue
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            kill -0 "$pid" 2> /dev/null || break
            sleep 0.2
        done
        kill -9 "$pid" 2> /dev/null || true
    done
}

if [ "$1" = stop ]; then
    stop
    exit 0
fi

PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch squeue; do
    if ! command -v $program > /dev/null; then
        echo "$program is not installed (Debian: slurm-wlm and munge)" >&2
        exit 77
    fi
done
if [ "$(id -u)" != 0 ]; then
    echo "slurmd must be started by root" >&2
    exit 77
fi

port=$3
mkdir -p "$folder/state" "$folder/spool"
# munged wants a folder and a key that only its user can read, and a socket in a folder that others can enter.
mkdir -p "$folder/munge" "$folder/socket"
chmod 700 "$folder/munge"
chmod 755 "$folder/socket"
head -c 1024 /dev/urandom > "$folder/munge/key"
chmod 400 "$folder/munge/key"

host=$(hostname -s)
cores=$(nproc)
memory=$(awk '/MemTotal/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
cat > "$folder/slurm.conf" << END
ClusterName=raddle
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/socket/munge
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MinJobAge=2
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores RealMemory=$memory State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
END
# Older versions look for containers' settings beside it.
: > "$folder/cgroup.conf"
export SLURM_CONF="$folder/slurm.conf"

munged --force --key-file="$folder/munge/key" --socket="$folder/socket/munge" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
slurmctld -f "$SLURM_CONF" > "$folder/slurmctld.out" 2>&1
slurmd -f "$SLURM_CONF" -N "$host" > "$folder/slurmd.out" 2>&1 || slurmd -f "$SLURM_CONF" > "$folder/slurmd.out" 2>&1

tries=0
until sinfo --noheader --format=%T 2> /dev/null | grep -q idle; do
    tries=$((tries + 1))
    if [ $tries -gt 100 ]; then
        echo "the node does not come up:" >&2
        tail -n 5 "$folder"/*.log "$folder"/*.out >&2
        stop
        exit 1
    fi
    sleep 0.3
done
