import { archiveMemory, type ArchiveState } from '#platform/backups/archive-state.ts';
import type { Services } from '#platform/platform.ts';
import type { GaugeOptions } from '#platform/telemetry/metric-sources.ts';

/** Builds the gauges of the archive. Without an archive they have no samples. */
export function buildArchiveGauges(services: Pick<Services, 'config' | 'memory'>): readonly GaugeOptions[] {
  const buildGauge = (
    name: string,
    help: string,
    select: (state: ArchiveState) => number | undefined,
  ): GaugeOptions => ({
    name,
    help,
    read: () => {
      if (!services.config.archive) return [];
      const value = select(archiveMemory(services).state ?? { range: null, fault: null, drill: null });
      return value === undefined ? [] : [[{}, value]];
    },
  });
  return [
    buildGauge(
      'tessera_archive_restorable_timestamp_seconds',
      'The newest moment to which the archive can be restored; 0 before the first backup is complete.',
      ({ range }) => (range ? new Date(range.to).getTime() / 1_000 : 0),
    ),
    buildGauge(
      'tessera_drill_failed',
      'Whether the newest drill found that the archive cannot be restored (1) or not (0).',
      ({ drill }) => (drill ? Number(drill.fault !== null) : undefined),
    ),
    buildGauge(
      'tessera_drill_success_timestamp_seconds',
      'When a drill last proved that the archive can be restored; 0 before the first one, if drills are configured.',
      ({ drill }) => {
        if (drill?.succeeded_at) return new Date(drill.succeeded_at).getTime() / 1_000;
        return services.config.archive?.drill ? 0 : undefined;
      },
    ),
  ];
}
