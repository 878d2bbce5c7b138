import type { Platform } from '#platform/platform.ts';
import type { GaugeOptions } from '#platform/telemetry/metric-sources.ts';
import { findingKinds } from '../parameters/findings.ts';
import { countOpenFindings } from '../parameters/store-findings.ts';

/** Builds the gauge of the findings about statements that nobody has decided about. Without a database it has no sample. */
export function buildFindingGauges({ database }: Pick<Platform, 'database'>): readonly GaugeOptions[] {
  return [
    {
      name: 'tessera_item_findings_open',
      help: 'Findings about statements of the assessment that nobody has decided about, by kind.',
      labelNames: ['kind'],
      read: async () => {
        const counted = await countOpenFindings(database).catch(() => undefined);
        if (!counted) return [];
        const countByKind = new Map(counted.map(({ kind, count }) => [kind, count]));
        return findingKinds.map((kind) => [{ kind }, countByKind.get(kind) ?? 0]);
      },
    },
  ];
}
