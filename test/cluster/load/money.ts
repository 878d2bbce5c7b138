import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sendUntilFinal } from './send-until-final.ts';
import type { Account } from './jobs-and-people.ts';
import type { MeasuredMember } from './members.ts';
import type { Send } from './send.ts';
import type { WriteLog } from './write-log.ts';

/** An organisation that pays for reads, with a job whose matches it reads. */
export type ReadingOrganisation = {
  readonly token: string;
  readonly org_id: string;
  readonly job_id: string;
};

/** How many reads use one list of matches. */
const reads_a_list = 20;

/** Each so many reads, the same payment is sent again. */
const repeat_every = 4;

/**
 * Reads members of the job for money, from the balance and by payments that arrive, in turn. A payment is sent again until its outcome is known.
 *
 * @param onDifference Receives a payment that brought something else when it was sent again.
 */
export async function startReading(
  log: WriteLog,
  send: Send,
  { token, org_id, job_id }: ReadingOrganisation,
  onDifference: (key: string) => void,
): Promise<void> {
  let aliases: string[] = [];
  for (let count = 0; !log.stopping.aborted; count++) {
    if (count % reads_a_list === 0 || aliases.length === 0)
      aliases = await listAliases(send, token, job_id).catch(() => []);
    if (aliases.length === 0) {
      await pause(200);
      continue;
    }
    const body = {
      member_id: aliases[count % aliases.length]!,
      data_type: count % 3 === 0 ? 'values_profile' : 'trait_profile',
    };
    const name = randomUUID();
    const [key, payment] =
      count % 2 === 0
        ? [`balance:${org_id}:${name}`, { balance_key: name }]
        : [`mock:${name}`, { tx_hash: name, timestamp: Math.floor(Date.now() / 1_000) }];
    const headers = { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') };
    const pay = () => send('/orgs/queries/credential', body, token, { headers });
    const bought = await buyRead(log, key, pay);
    if (!bought || count % repeat_every !== 0) continue;
    const again = await sendUntilFinal(log.stopping, pay, ['']).catch(() => undefined);
    if (again && !isDeepStrictEqual(again.reply, bought)) onDifference(key);
  }
}

async function listAliases(send: Send, token: string, job_id: string): Promise<string[]> {
  const { reply } = await send(`/orgs/me/jobs/${job_id}/matches?limit=50`, undefined, token, {
    method: 'GET',
  });
  const { data = [] } = reply as { data?: readonly { readonly member_id: string }[] };
  return data.map(({ member_id }) => member_id);
}

/** @returns what was read; undefined if the read was refused, or the load was stopped before. */
async function buyRead(log: WriteLog, key: string, pay: () => ReturnType<Send>): Promise<object | undefined> {
  while (!log.stopping.aborted) {
    let bought: object | undefined;
    const { status } = await log.attempt('reads', async () => {
      const { status, reply } = await pay();
      if (status === 200) bought = reply;
      return { status, id: bought && key };
    });
    if (status !== 'none' && status < 500) return bought;
  }
  return undefined;
}

/** Pays out what the members have earned, one after the other, each request with its Idempotency-Key until its outcome is known. */
export async function startPayouts(
  log: WriteLog,
  send: Send,
  members: readonly MeasuredMember[],
): Promise<void> {
  for (let count = 0; !log.stopping.aborted; count++) {
    const member = members[count % Math.max(1, members.length)];
    if (!member) {
      await pause(200);
      continue;
    }
    const headers = { 'idempotency-key': randomUUID() };
    const body = { destination: `0x${randomBytes(20).toString('hex')}` };
    let isKnown = false;
    while (!isKnown && !log.stopping.aborted) {
      const { status } = await log.attempt('payouts', async () => {
        const { status, reply } = await send('/members/me/payouts', body, member.token, { headers });
        return { status, id: status === 201 ? (reply as { id: string }).id : undefined };
      });
      isKnown = status !== 'none' && status < 500;
    }
  }
}

/** Deletes the accounts that `take` returns. */
export async function startErasures(
  log: WriteLog,
  send: Send,
  take: () => Account | undefined,
): Promise<void> {
  while (!log.stopping.aborted) {
    const account = take();
    if (!account) {
      await pause(200);
      continue;
    }
    const { user_id, member_id, email, token } = account;
    const id = [user_id, email, member_id].join(' ').trim();
    log.record('begun erasures', id);
    let isKnown = false;
    while (!isKnown && !log.stopping.aborted) {
      const { status } = await log.attempt('erasures', async () => {
        const { status } = await send('/members/me', undefined, token, { method: 'DELETE' });
        return { status, id: status === 202 ? id : undefined };
      });
      isKnown = status !== 'none' && status < 500;
    }
  }
}
