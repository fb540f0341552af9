#!/bin/sh
# Merges the results of all shards: sbatch --dependency=afterany:ARRAY merge.sh [JOB.toml]
#SBATCH --job-name=merge
#SBATCH --output=merge.log
exec hitoku batch merge "${1:-job.toml}"
