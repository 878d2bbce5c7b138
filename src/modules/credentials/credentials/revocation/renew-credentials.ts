import { nil_uuid } from '#lib/nil-uuid.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { task } from '#platform/queue/task.ts';
import { buildIssuer, readMethodKid, type Issuer } from '../signing/issuer.ts';
import { readJws } from '../signing/jws.ts';
import { signForms } from '../signing/signed-forms.ts';
import { listUnexpiredKeys, lockCredential, updateForms, type Credential } from '../store.ts';
import { replaceRevokedListKey } from './status-lists.ts';

const batch_rows = 200;

/**
 * Signs all unexpired credentials again whose key was revoked, so that their members can present them further. Id, times, claims and status
 * list entry stay the same. Credentials that lack the youngest form get it too. It runs once more if it is interrupted: what it has
 * renewed no longer names a revoked key and lacks no form.
 */
export const renewCredentials = task({
  name: 'credentials.renewCredentials',
  retry_seconds: [30, 300, 3_600],
  run: async (context) => {
    let after: string | undefined = nil_uuid;
    while (after !== undefined) {
      context.signal.throwIfAborted();
      const from: string = after;
      after = await context.database.transaction((tx) => renewBatch(context, tx, from));
    }
  },
});

/** Renews one batch. @returns the id of its last credential; undefined after the last batch. */
async function renewBatch(platform: Platform, tx: Transaction, after: string): Promise<string | undefined> {
  const issuer = buildIssuer(platform.config.publicUrl);
  const keys = await listUnexpiredKeys(tx, after, platform.now(), batch_rows);
  for (const each of keys) {
    const credential = await lockCredential(tx, each);
    if (!credential || !isUnsigned(platform, issuer, credential)) continue;
    const key = await replaceRevokedListKey(platform, tx, credential.status_list_id);
    await updateForms(tx, credential, signForms(issuer, key, credential));
  }
  return keys.length < batch_rows ? undefined : keys.at(-1)?.id;
}

function isUnsigned({ keys }: Platform, issuer: Issuer, { vc_jwt, open_badge }: Credential): boolean {
  if (open_badge === null) return true;
  const kid = readMethodKid(issuer, readJws(vc_jwt)?.header.kid ?? '');
  return kid !== undefined && keys.findInMemory('credential', kid)?.revoked_at !== null;
}
