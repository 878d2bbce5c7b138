import { randomUUID } from 'node:crypto';
import { recordRead, recordTopUpFromCommand } from '#modules/income/books';
import { sql } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { Client } from '../../src/demo/client.ts';

/** The ids of the pages of paid reads. */
export type PaidReadIds = {
  /** A person whom the organisation may read, and its wallet. */
  readonly readable_person: string;
  readonly org_wallet: string;
};

type Parties = {
  readonly admin: Client;
  readonly member: Client;
  readonly org_id: string;
  readonly job_id: string;
};

/**
 * Lets an organisation make two free reads of a person, buy one from its balance, and announce more money, and adds a wallet. The person has sold further reads to it for half a year: some income is paid out, some is
 * available, and some is pending.
 */
export async function fillReads(
  platform: Platform,
  { admin, member, org_id, job_id }: Parties,
): Promise<PaidReadIds> {
  const { database, now } = platform;
  const { data } = await admin.get(`/orgs/me/jobs/${job_id}/matches?status=member_accepted`);
  const member_id = data[0].member_id as string;
  for (let count = 0; count < 2; count++)
    await admin.post('/orgs/queries/credential', { member_id, data_type: 'archetype' });
  await fillBalance(platform, admin, org_id);
  await admin.send('POST', '/orgs/queries/credential', { member_id, data_type: 'archetype' }, paid);
  await proposeRead(member, org_id);
  await recordSales(platform, { admin, member, org_id, job_id });
  const org_wallet = randomUUID();
  await database.run(sql`
    insert into payment_wallets (address, id, org_id, created_by, created_at)
    values ('0x52908400098527886e0f7030069857d2e4169ee7', ${org_wallet}, ${org_id}, ${randomUUID()}, ${now()})`);
  return { readable_person: member_id, org_wallet };
}

/** A payment from the balance, as a header. */
const paid = {
  'payment-signature': Buffer.from(JSON.stringify({ balance_key: 'first' })).toString('base64'),
};

/** Records an invoice that an organisation has paid, and lets it announce a transfer. */
async function fillBalance(platform: Platform, admin: Client, org_id: string): Promise<void> {
  await recordTopUpFromCommand(platform, { reference: 'INV-2026/17', amount: '40', org: org_id });
  await admin.post('/orgs/me/balance', { amount: 250 });
}

/** Lets the person offer the organisation two reads, of which one is taken back. */
async function proposeRead(member: Client, org_id: string): Promise<void> {
  const { id: member_id } = await member.get('/members/me');
  const propose = (price_aud: number) =>
    member.post('/marketplace/transactions', { member_id, org_id, data_type: 'archetype', price_aud });
  const { id } = await propose(0.6);
  await member.post(`/marketplace/transactions/${id}/decline`);
  await propose(0.4);
}

const day_ms = 86_400_000;

/** Sells reads of a member on many days, and pays some of the income out. */
async function recordSales({ database, now }: Platform, { admin, member, org_id }: Parties): Promise<void> {
  const [{ id: member_id }, { id: user_id }] = [await member.get('/members/me'), await admin.get('/auth/me')];
  const types = ['trait_profile', 'archetype', 'trait_profile', 'values_profile', 'alignment'] as const;
  const grosses = {
    archetype: 80_000n,
    trait_profile: 400_000n,
    values_profile: 400_000n,
    alignment: 960_000n,
  };
  for (let sale = 0; sale < 24; sale++) {
    const at = new Date(now().getTime() - (sale * 7 + 2) * day_ms);
    const data_type = types[sale % types.length]!;
    const read = {
      id: randomUUID(),
      member_id: member_id as string,
      org_id,
      user_id: user_id as string,
      data_type,
    };
    const amount = grosses[data_type];
    const payment = { payment_id: randomUUID(), rail: 'mock', protocol_version: 'mock', amount } as const;
    await database.transaction((tx) =>
      recordRead(tx, { ...read, share_bps: 7_500, multiplier_bps: 16_000, created_at: at, payment }, 604_800),
    );
  }
  await member.post('/members/me/payouts', {
    amount: 3.5,
    destination: '0x52908400098527886E0F7030069857D2E4169EE7',
  });
}

/** Adds a payment of unknown outcome, and a payout that has been in progress for three days. */
export async function addMoneyTroubles({ database, now }: Platform, org_id: string): Promise<void> {
  const since = new Date(now().getTime() - 3 * 86_400_000);
  await database.run(sql`
    insert into payments (id, state, rail, protocol_version, org_id, user_id, data_type, price_micros, amount_micros, payer, reason,
      created_at, attempted_at)
    values (gen_random_uuid(), 'unknown', 'x402', 'x402-v2', ${org_id}, gen_random_uuid(), 'archetype', 50000, 50000,
      '0x52908400098527886e0f7030069857d2e4169ee7', 'facilitator_timeout', ${now()}, ${now()})`);
  await database.run(sql`
    insert into payouts (holder_id, id, kind, status, amount_micros, rail, destination, requested_at)
    values (gen_random_uuid(), gen_random_uuid(), 'income', 'requested', 12500000, 'chain', '0x52908400098527886E0F7030069857D2E4169EE7',
      ${since})`);
}

/** Uses up the free reads of the organisation of a user. */
export async function useFreeReads({ database }: Platform, user_id: string): Promise<void> {
  await database.run(sql`
    insert into read_allowances (org_id, read_count) select org_id, 5 from users where id = ${user_id}`);
}
