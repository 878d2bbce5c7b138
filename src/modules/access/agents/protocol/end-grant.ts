import { endGrantOfAgent } from '../grants/end-grant.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteGrantArtifacts } from '../store-artifacts.ts';

/**
 * Ends a grant because of what happened in the protocol: a code or a refresh token was used twice, or the client revoked a token. Its tokens
 * are refused from the next call on.
 */
export async function endGrant(platform: Platform, grant_id: string): Promise<void> {
  await platform.database.transaction(async (tx) => {
    await endGrantOfAgent(platform, tx, grant_id);
    await deleteGrantArtifacts(tx, grant_id);
  });
}
