import type { Reader } from '#platform/database/database.ts';
import { formatIndexShard } from '#lib/concurrency/index-shard.ts';
import type { PartStates } from '#platform/http/health.ts';
import type { Services } from '#platform/platform.ts';
import type { GaugeOptions } from '#platform/telemetry/metric-sources.ts';
import { computeIndexVersion } from './index-version.ts';
import { readIndexState, type IndexState } from './match-index.ts';
import { listPartAges } from './store-nodes.ts';

type Process = Pick<Services, 'config' | 'memory'>;
type ProcessWithDatabase = Process & { readonly database: Reader };

/** Says how ready the index is, for the readiness of a process. It is missing if the process does not match. */
export function readPartStates(process: Process): PartStates {
  const state = readIndexState(process);
  return state ? { matching: state.readiness } : {};
}

/** Builds the gauges of the index. They have no samples in a process that does not match. */
export function buildIndexGauges(process: ProcessWithDatabase): readonly GaugeOptions[] {
  const buildGauge = (
    name: string,
    help: string,
    select: (state: IndexState) => number | undefined,
  ): GaugeOptions => ({
    name,
    help,
    read: () => {
      const state = readIndexState(process);
      const value = state && select(state);
      return value === undefined ? [] : [[{}, value]];
    },
  });
  return [
    buildGauge(
      'tessera_match_index_members',
      'Deployed members in the match index.',
      ({ members }) => members,
    ),
    buildGauge('tessera_match_index_bytes', 'Memory of the match index.', ({ bytes }) => bytes),
    buildGauge(
      'tessera_match_index_ready',
      'Whether the match index is built and follows the changes of members (1) or not (0).',
      ({ readiness }) => Number(readiness === 'ready'),
    ),
    buildGauge(
      'tessera_match_index_lag_seconds',
      'The match index contains every change of a member that is older than this.',
      ({ lag_seconds }) => lag_seconds,
    ),
    {
      name: 'tessera_match_index_part_age_seconds',
      help: 'Time since the worker that holds a part of the match index last reported, of the version of this process.',
      labelNames: ['part'],
      read: () => readPartAges(process),
    },
  ];
}

/** Reads how old the report of each part is, in a process that holds one of them. */
async function readPartAges({ config, database }: ProcessWithDatabase) {
  if (!config.indexShard) return [];
  // While the database does not reply, other metrics say so.
  const ages = await listPartAges(database, await computeIndexVersion()).catch(() => []);
  return ages.map(({ age_seconds, ...part }) => [{ part: formatIndexShard(part) }, age_seconds] as const);
}
