#!/bin/sh
# Each array task protects an eighth of the tables of a job file: sbatch protect.sh [JOB.toml]
#SBATCH --job-name=protect
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=4G
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
#SBATCH --output=protect-%a.log
shards=8   # as in --array; Slurm's own count is another where some tasks are run again
exec hitoku batch --quiet --workers "${SLURM_CPUS_PER_TASK:-1}" --shard "$SLURM_ARRAY_TASK_ID/$shards" "${1:-job.toml}"
