import { describe, expect, test } from 'vitest';
import { checkBooks, recordTopUpFromCommand, reverseJournal } from '#modules/income/books';
import { OperatorError } from '#platform/command-line.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { buyRead, readLeft } from '#test/modules/balances.ts';
import { listAccounts } from '#test/modules/books.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { findAliases, registerReadable } from '#test/modules/reads.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const record = (body: object) => app.request('POST', '/operator/top-ups', { token: operator.token, body });

async function announce({ token }: { readonly token: string }, amount: number): Promise<string> {
  const { body } = await app.request('POST', '/orgs/me/balance', { token, body: { amount } });
  return body.reference as string;
}

describe('money that has arrived', () => {
  test('fills the balance of the organisation that announced it, by what has arrived, and says so', async () => {
    const org = await app.registerOrgAdmin();
    const reference = await announce(org, 250);
    await app.drainQueue();
    const { status, body } = await record({ reference: reference.toLowerCase(), amount: 249.25 });
    const recorded_at = app.clock.now().toISOString();
    const { org_id } = org;
    const record_of_it = { reference, org_id, amount: 249.25, currency: 'USD', balance: 249.25, recorded_at };
    expect([status, body]).toEqual([200, record_of_it]);
    expect(await listAccounts(app, org_id)).toEqual({
      cash_bank: 249_250_000,
      prepaid_balance: -249_250_000,
    });
    const [act] = await listActs(app, 'ledger.top_up_recorded', operator.user_id);
    expect(act).toMatchObject({ org_id, detail: { reference } });
    await app.drainQueue();
    const mails = (await app.readMails()).filter(
      ({ subject }) => subject === 'Your prepaid balance was filled',
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain(`249.25 USD under the reference ${reference}`);
  });

  test('of an invoice needs the organisation, and is recorded once for its reference, even at the same time', async () => {
    const org = await app.registerOrgAdmin();
    const body = { reference: 'INV-2026/17', amount: 40, org_id: org.org_id };
    const replies = await Promise.all(Array.from({ length: 6 }, () => record(body)));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(new Set(replies.map((each) => JSON.stringify(each.body))).size).toBe(1);
    expect(await readLeft(app, org)).toBe(40);
    const missing = await record({ reference: 'INV-2026/18', amount: 40 });
    expect([missing.status, missing.body.errors[0].pointer]).toEqual([422, '/org_id']);
  });

  test('is refused under a reference with another amount, or of another organisation', async () => {
    const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
    const reference = await announce(ours, 10);
    const foreign = await record({ reference, amount: 10, org_id: theirs.org_id });
    expect([foreign.status, foreign.body.code]).toEqual([409, 'top_up_recorded']);
    await record({ reference, amount: 10 });
    const other = await record({ reference, amount: 11 });
    expect([other.status, other.body.code]).toEqual([409, 'top_up_recorded']);
    expect([await readLeft(app, ours), await readLeft(app, theirs)]).toEqual([10, 0]);
  });

  test('is refused with wrong input, for an unknown organisation, and without a recent authentication', async () => {
    const unknown = await record({ reference: 'INV-1', amount: 5, org_id: unknownId });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'organisation_not_found']);
    for (const [field, value] of [
      ['reference', 'a b'],
      ['reference', ''],
      ['amount', 0],
      ['amount', 1e9],
      ['org_id', 'none'],
    ] as const) {
      const body = { reference: 'INV-2', amount: 5, org_id: unknownId, [field]: value };
      const reply = await record(body);
      expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, `/${field}`]);
    }
    const old = await startApp();
    const late = await old.registerPlatformAdmin();
    old.clock.advance(16 * 60_000);
    const body = { reference: 'INV-3', amount: 5, org_id: unknownId };
    const stale = await old.request('POST', '/operator/top-ups', { token: late.token, body });
    expect([stale.status, stale.body.code]).toEqual([403, 'recent_authentication_required']);
  });

  test('is for the operator alone', () =>
    expectOperatorOnly(app, 'POST', '/operator/top-ups', {
      reference: 'INV-4',
      amount: 5,
      org_id: unknownId,
    }));
});

describe('the command line', () => {
  const run = (reference: string, amount: string, org?: string) =>
    recordTopUpFromCommand(app.platform, { reference, amount, ...(org !== undefined && { org }) });

  test('records the same as the API, once', async () => {
    const org = await app.registerOrgAdmin();
    const reference = await announce(org, 30);
    expect(await run(reference, '30.5')).toMatchObject({ reference, amount: 30.5, balance: 30.5 });
    expect(await run(reference, '30.5')).toMatchObject({ balance: 30.5 });
    await expect(run(reference, '31')).rejects.toThrow('recorded with another amount');
    expect(await readLeft(app, org)).toBe(30.5);
  });

  test('says what is wrong', async () => {
    await expect(run('a', '5', unknownId)).rejects.toThrow('the reference must be');
    await expect(run('INV-9', '-5', unknownId)).rejects.toThrow('the amount must be');
    await expect(run('INV-9', '5', 'none')).rejects.toThrow('is not the id of an organisation');
    await expect(run('INV-9', '5')).rejects.toThrow('with --org');
    await expect(run('INV-9', '5', unknownId)).rejects.toThrow(OperatorError);
  });
});

test('a top-up is taken back only while the balance has its money', async () => {
  const member = await registerReadable(app, ['trait_profile']);
  const org = await app.registerOrgAdmin();
  const [alias] = await findAliases(app, org, [member]);
  const findTopUp = async () =>
    (
      await app.sql.one(sql<{ id: string }>`
        select id from ledger_journals where holder_id = ${org.org_id} and kind = 'top_up' order by posted_at desc limit 1`)
    ).id;
  await record({ reference: 'WRONG-1', amount: 3, org_id: org.org_id });
  await reverseJournal(app.platform, { journal: await findTopUp(), reason: 'another customer' });
  expect(await readLeft(app, org)).toBe(0);
  app.clock.advance(1_000);
  await record({ reference: 'WRONG-2', amount: 3, org_id: org.org_id });
  expect((await buyRead(app, org, alias!)).status).toBe(200);
  const journal = await findTopUp();
  await expect(reverseJournal(app.platform, { journal, reason: 'too late' })).rejects.toThrow(
    'the organisation has less than this left',
  );
  expect((await checkBooks(app.platform)).faults).toEqual([]);
});
