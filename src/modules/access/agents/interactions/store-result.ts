import type { Transaction } from '#platform/database/database.ts';
import { upsertArtifact } from '../store-artifacts.ts';
import type { Interaction } from './find-interaction.ts';

/** Stores the decision of the person, which the library reads when the browser continues. @returns where it continues. */
export async function storeResult(
  tx: Transaction,
  { uid, payload, expires_at, continue_url }: Interaction,
  now: Date,
  result: Readonly<Record<string, unknown>>,
): Promise<{ readonly continue_url: string }> {
  await upsertArtifact(
    tx,
    { kind: 'Interaction', id: uid },
    { user_id: null, grant_id: null, payload: { ...payload, result }, now, expires_at },
  );
  return { continue_url };
}
