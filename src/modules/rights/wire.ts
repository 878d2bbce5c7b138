import { Type, type Static } from 'typebox';
import { consentTypes } from '#modules/consent';
import { closedObject, uuid } from '#platform/schema.ts';

const pendingDeletionFields = {
  status: Type.Enum(['pending_deletion']),
  erase_after: Type.String({
    format: 'date-time',
    pattern: 'Z$',
    description: 'When a background task starts to erase all data about the member.',
  }),
};

/** An account that is signed out and will be erased. */
export const pendingDeletionWire = closedObject(pendingDeletionFields, { $id: 'PendingDeletion' });

/** The same, with the consent types that were withdrawn. */
export const withdrawnWire = closedObject(
  { withdrawn: Type.Array(Type.Enum(consentTypes)), ...pendingDeletionFields },
  { $id: 'WithdrawnConsent' },
);

export function toPendingDeletionWire({
  erase_after,
}: {
  readonly erase_after: Date;
}): Static<typeof pendingDeletionWire> {
  return { status: 'pending_deletion', erase_after: erase_after.toISOString() };
}

/** The task that builds the export: a new one, or the one that is already queued or running. */
export const startedExportWire = closedObject(
  { task_id: uuid, status: Type.Enum(['queued', 'running']) },
  { $id: 'StartedDataExport' },
);
