import { Type, type Static } from 'typebox';
import { archiveMemory } from '#platform/backups/archive-state.ts';
import type { Services } from '#platform/platform.ts';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';

/** What the operator sees of the archive. */
export const archiveWire = closedObject({
  restorable_from: field(
    nullable(timestamp),
    'The first moment to which the service can be restored; null before the first backup is complete.',
    '2026-03-02T02:10:00.000Z',
  ),
  restorable_to: field(nullable(timestamp), 'The newest one.', '2026-03-09T07:44:58.000Z'),
  fault: field(
    nullable(Type.String()),
    'Why the archive does not follow the database.',
    'ENOSPC: no space left on device, write',
  ),
  nightly: field(Type.Boolean(), 'Whether a drill is configured for every night.', true),
  drill: field(
    nullable(
      closedObject({
        at: field(timestamp, 'When it ended.', '2026-03-09T02:43:11.000Z'),
        fault: field(nullable(Type.String()), 'Why the archive was not proven.', null),
        restored_to: field(nullable(timestamp), 'The moment that was restored.', '2026-03-09T02:41:02.000Z'),
        seconds: field(Type.Number({ minimum: 0 }), 'How long it took.', 129),
        succeeded_at: field(
          nullable(timestamp),
          'When a drill last proved the archive.',
          '2026-03-09T02:43:11.000Z',
        ),
      }),
    ),
    'The newest drill; null before the first one.',
  ),
});

/** Reads what this process knows about the archive. @returns null if it keeps none. */
export function readArchiveState({
  config,
  memory,
}: Pick<Services, 'config' | 'memory'>): Static<typeof archiveWire> | null {
  if (!config.archive) return null;
  const { state } = archiveMemory({ memory });
  const { format: _, ...drill } = state?.drill ?? { format: 1 };
  return {
    restorable_from: state?.range?.from ?? null,
    restorable_to: state?.range?.to ?? null,
    fault: state?.fault ?? null,
    nightly: config.archive.drill,
    drill: 'at' in drill ? drill : null,
  };
}
