import type { PartStates } from '#platform/http/health.ts';
import type { Services } from '#platform/platform.ts';
import type { GaugeOptions } from '#platform/telemetry/metric-sources.ts';
import { readIndexState, type IndexState } from './match-index.ts';

type Process = Pick<Services, 'config' | 'memory'>;

/** Says how ready the index is, for the readiness of a process. It is missing if the process does not match. */
export function readPartStates(process: Process): PartStates {
  const state = readIndexState(process);
  return state ? { matching: state.readiness } : {};
}

/** Builds the gauges of the index. They have no samples in a process that does not match. */
export function buildIndexGauges(process: Process): readonly GaugeOptions[] {
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
  ];
}
