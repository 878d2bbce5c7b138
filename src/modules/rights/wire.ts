import { Type, type Static } from 'typebox';
import { consentTypes } from '#modules/consent';
import { uuid } from '#platform/schema.ts';

const strict = { additionalProperties: false };

const pendingDeletionFields = {
  status: Type.Enum(['pending_deletion']),
  erase_after: Type.String({
    format: 'date-time',
    pattern: 'Z$',
    description: 'From then on a background task erases everything that is held about the member.',
  }),
};

/** An account that is signed out, and waits for its erasure. */
export const pendingDeletionWire = Type.Object(pendingDeletionFields, { $id: 'PendingDeletion', ...strict });

/** The same, with the consents that were granted until then. */
export const withdrawnWire = Type.Object(
  { withdrawn: Type.Array(Type.Enum(consentTypes)), ...pendingDeletionFields },
  { $id: 'WithdrawnConsent', ...strict },
);

export function toPendingDeletionWire({
  erase_after,
}: {
  readonly erase_after: Date;
}): Static<typeof pendingDeletionWire> {
  return { status: 'pending_deletion', erase_after: erase_after.toISOString() };
}

/** The task that makes the export: the one at work, where there is one already. */
export const startedExportWire = Type.Object(
  { task_id: uuid, status: Type.Enum(['queued', 'running']) },
  { $id: 'StartedDataExport', ...strict },
);
