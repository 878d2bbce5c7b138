import { Type } from 'typebox';
import { consentTypes } from '#modules/people/consent';
import { closedObject, field, uuid, toReply } from '#platform/schema.ts';

const pendingDeletionFields = {
  status: field(Type.Enum(['pending_deletion']), 'The account is signed out and waits for its erasure.'),
  erase_after: Type.String({
    format: 'date-time',
    pattern: 'Z$',
    description: 'When a background task starts to erase all data about the member.',
    examples: ['2026-04-01T09:00:00.000Z'],
  }),
};

/** An account that is logged out and will be erased. */
export const pendingDeletionWire = closedObject(pendingDeletionFields, { $id: 'PendingDeletion' });

/** The same, with the consent types that were withdrawn. */
export const withdrawnWire = closedObject(
  {
    withdrawn: field(Type.Array(Type.Enum(consentTypes)), 'The types of consent that were withdrawn.', [
      'matching',
      'credential_sharing',
    ]),
    ...pendingDeletionFields,
  },
  { $id: 'WithdrawnConsent' },
);

export function toPendingDeletionWire({ erase_after }: { readonly erase_after: Date }) {
  return toReply(pendingDeletionWire, { status: 'pending_deletion', erase_after });
}

/** The task that builds the export: a new one, or the one that is already queued or running. */
export const startedExportWire = closedObject(
  {
    task_id: uuid,
    status: field(Type.Enum(['queued', 'running']), 'Whether the export is being built already.'),
  },
  { $id: 'StartedDataExport' },
);
