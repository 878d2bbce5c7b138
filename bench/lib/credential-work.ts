import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import type { PoolConfig } from 'pg';
import { issueCredentials, takePlaces, type CredentialDraft } from '#modules/credentials/credentials';
import { insertDeployedMembers } from '#modules/people/members';
import { readConfig } from '#platform/config.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { openApp } from '../../src/app/app.ts';
import { sendToParent, waitForMessages } from './parent.ts';

/** The parent's first message: the running service whose database to use. */
export type CredentialSetup = {
  readonly settings: PoolConfig;
  readonly dataDir: string;
  readonly publicUrl: string;
};
/** The parent's further messages: what to do, and how often. */
export type CredentialOrder = {
  readonly work: 'sign' | 'signFast' | 'verify' | 'verifyFast' | 'issue';
  readonly count: number;
};

const batch = 100;
/** As long as the signed part of an attestation token. */
const signedText = Buffer.from('x'.repeat(600));
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const dsaEncoding = 'ieee-p1363';
const signature = sign('sha256', signedText, { key: pair.privateKey, dsaEncoding });
const derSignature = sign('sha256', signedText, pair.privateKey);

/** The call that JOSE libraries and most programs make, and the fastest one: a bare key and DER. */
const calls = {
  sign: () => sign('sha256', signedText, { key: pair.privateKey, dsaEncoding }),
  signFast: () => sign('sha256', signedText, pair.privateKey),
  verify: () => verify('sha256', signedText, { key: pair.publicKey, dsaEncoding }, signature),
  verifyFast: () => verify('sha256', signedText, pair.publicKey, derSignature),
};

let issue: (count: number) => Promise<void>;

process.on('message', (message: CredentialSetup | CredentialOrder | string) => {
  if (typeof message === 'string') return;
  const work = 'work' in message ? runOrder(message) : openPlatform(message);
  void work.then(
    () => sendToParent('done'),
    (error: unknown) => sendToParent(String(error)),
  );
});
waitForMessages();

async function runOrder({ work, count }: CredentialOrder): Promise<void> {
  if (work === 'issue') return issue(count);
  for (let done = 0; done < count; done++)
    if (calls[work]() === false) throw new Error('the signature is wrong');
}

/** Opens the service without its sockets, on the database of the running service. */
async function openPlatform({ settings, dataDir, publicUrl }: CredentialSetup): Promise<void> {
  const config = readConfig({ TESSERA_DATA_DIR: dataDir, TESSERA_PUBLIC_URL: publicUrl });
  const { platform } = await openApp(config, settings, { log: openLog({ level: 'warn' }) });
  const { database, now } = platform;
  const [member_id] = await database.transaction((tx) => insertDeployedMembers(tx, [profile], now()));
  const draft: CredentialDraft = {
    member_id: member_id!,
    credential_type: 'trait_attestation',
    attestation_tier: 'self_attested',
    claims: { archetype_family: 'craft', trait_coverage: 0.9 },
    expires_at: new Date(Math.ceil(now().getTime() / 1000) * 1000 + 86_400_000),
  };
  issue = async (count) => {
    for (let issued = 0; issued < count; issued += batch) {
      const places = await takePlaces(platform, batch);
      const drafts = Array.from({ length: batch }, () => draft);
      await database.transaction((tx) => issueCredentials(platform, tx, drafts, places));
    }
  };
}

const profile = {
  display_name: `Bench ${randomUUID()}`,
  current_industry: 'health',
  years_experience: 3,
  education_level: 'masters',
  location_country: 'NZ',
  location_state: null,
} as const;
