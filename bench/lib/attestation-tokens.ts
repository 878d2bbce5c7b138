import { randomUUID } from 'node:crypto';
import { systemClock } from '#platform/clock.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { openKeys, type SigningKey } from '#platform/security/keys.ts';
import { createSecrets, loadMasterKey } from '#platform/security/secrets.ts';
import { openList } from '../../src/modules/credentials/credentials/revocation/status-lists.ts';
import { buildIssuer } from '../../src/modules/credentials/credentials/signing/issuer.ts';
import { signForms } from '../../src/modules/credentials/credentials/signing/signed-forms.ts';
import type { CredentialStatement } from '../../src/modules/credentials/credentials/signing/statement.ts';

/** Creates a function that signs attestation tokens with the service's own key, for credentials that are not stored. */
export async function createTokenSigner(
  settings: Parameters<typeof openDatabase>[0],
  dataDir: string,
  publicUrl: string,
): Promise<(count: number) => readonly string[]> {
  const database = openDatabase(settings, () => undefined);
  const keys = await openKeys(database, createSecrets(await loadMasterKey(undefined, dataDir)), systemClock);
  const key: SigningKey = keys.selectActive('credential');
  const status_list_id = await createStatusList(database, key.kid);
  keys.close();
  await database.close();
  const issuer = buildIssuer(publicUrl);
  const issued_at = new Date(Math.floor(systemClock.now().getTime() / 1000) * 1000);
  const buildStatement = (status_index: number): CredentialStatement => ({
    id: randomUUID(),
    member_id: randomUUID(),
    credential_type: 'trait_attestation',
    attestation_tier: 'self_attested',
    claims: { archetype_family: 'craft', trait_coverage: 0.9 },
    issued_at,
    expires_at: new Date(issued_at.getTime() + 86_400_000),
    status_list_id,
    status_index,
  });
  return (count) =>
    Array.from(
      { length: count },
      (_, index) => signForms(issuer, key, buildStatement(index)).attestation_token,
    );
}

async function createStatusList(database: Database, kid: string): Promise<string> {
  const id = randomUUID();
  const created_at = systemClock.now();
  await database.transaction((tx) => openList(tx, { id, kid, created_at }));
  return id;
}
