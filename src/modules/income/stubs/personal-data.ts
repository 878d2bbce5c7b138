import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteAllOfMember, listEvidence, listStubRows } from './store.ts';

/** Exports what was observed of the member before the account existed. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'identity_stub', rows: await listStubRows(db, member_id) },
    { name: 'stub_observations', rows: await listEvidence(db, member_id) },
  ];
}

/** Deletes the stub and its observations. The trait vector belongs to the module of traits. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteAllOfMember(tx, member_id);
}
