import { beforeEach, expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import {
  approveCategory,
  createPayment,
  decideConsent,
  findAliases,
  registerReadable,
  sendRead,
  spendAllowance,
} from '#test/modules/reads.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import { sql } from '#platform/database/database.ts';
import { notifyOfRead } from './notify-of-read.ts';
import { sendDigest, sendDigests } from './send-digests.ts';

const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;
const week_ms = 7 * 24 * hour_ms;

let org: TestOrgUser;
let member: TestMember;
let alias: string;
let before: number;
const app = await startApp({ TESSERA_PAYMENT_RAIL: 'mock' });
beforeEach(async () => {
  org = await app.registerOrgAdmin({ name: 'Harbour Health' });
  await app.sql.run(sql`update users set email_verified_at = ${app.clock.now()} where id = ${org.user_id}`);
  member = await registerReadable(app);
  [alias] = (await findAliases(app, org, [member])) as [string];
  await spendAllowance(app, org);
  await app.drainQueue();
  before = (await app.readMails()).length;
});

const choose = (data_read: string) =>
  app.request('PUT', '/members/me/notifications', {
    token: member.token,
    body: { match_proposed: 'never', data_read },
  });

async function read(data_type: 'archetype' | 'trait_profile', count = 1): Promise<void> {
  for (let each = 0; each < count; each++) {
    const reply = await sendRead(app, org, alias, { data_type, payment: createPayment() });
    expect(reply.status).toBe(200);
  }
  await app.drainQueue();
}

/** Lets time pass, runs the task that sends digests, and returns the emails of this test. */
async function listMailsAfter(wait_ms: number) {
  app.clock.advance(wait_ms);
  await runTask(app, sendDigests, {});
  await app.drainQueue();
  return (await app.readMails()).slice(before).filter(({ to }) => to === member.email);
}

test('reads wait for the weekly email, which gathers them by organisation and category with what they earned', async () => {
  await read('archetype', 3);
  await read('trait_profile');
  const { body } = await app.request('GET', '/members/me/earnings', { token: member.token });
  expect(await listMailsAfter(5 * minute_ms)).toEqual([]);
  const [mail, ...others] = await listMailsAfter(week_ms);
  expect([mail!.subject, others]).toEqual(['Your data was read', []]);
  expect(mail!.text).toMatch(
    /made 4 reads[\s\S]*Harbour Health[\s\S]*3 reads of your archetype: you earned 0\.\d+ US/,
  );
  expect(mail!.text).toContain('One read of your trait profile: you earned');
  expect(mail!.text).toContain(`All of it: you earned ${body.total_earned.toFixed(2)} US dollars`);
  expect(mail!.text).toContain('/app/income');
  expect(await listMailsAfter(week_ms)).toHaveLength(1);
});

test('a task that runs twice, and a crash after the email was sent, count no read twice', async () => {
  await read('archetype');
  await runTask(app, notifyOfRead, { member_id: member.member_id });
  app.clock.advance(week_ms);
  const mailer = { send: () => Promise.reject(new Error('no mail server')), close: async () => {} };
  await expect(runTask(app, sendDigest, { user_id: member.user_id }, { mailer })).rejects.toThrow(
    'no mail server',
  );
  const [mail] = await listMailsAfter(0);
  expect(mail!.text).toContain('An organisation has read data that you offer');
  // A late repetition of the task finds nothing new.
  await runTask(app, notifyOfRead, { member_id: member.member_id });
  expect(await listMailsAfter(week_ms)).toHaveLength(1);
});

test('those who want to know at once get one email an hour, and no read is lost between two', async () => {
  await choose('immediately');
  await read('archetype');
  // The read has only just been recorded: the email waits for others of the same moment.
  expect(await listMailsAfter(0)).toEqual([]);
  expect(await listMailsAfter(5 * minute_ms)).toHaveLength(1);
  await read('archetype', 2);
  expect(await listMailsAfter(5 * minute_ms)).toHaveLength(1);
  const mails = await listMailsAfter(hour_ms);
  expect(mails.map(({ text }) => /made (\d+) reads/.exec(text)?.[1])).toEqual([undefined, '2']);
});

test('those who want no such emails get none, and later emails leave out those reads', async () => {
  await choose('never');
  await read('archetype', 2);
  await choose('immediately');
  expect(await listMailsAfter(2 * hour_ms)).toEqual([]);
  await read('trait_profile');
  const [mail] = await listMailsAfter(5 * minute_ms);
  expect(mail!.text).not.toContain('archetype');
});

test('a free read earns nothing, and the email says so', async () => {
  await app.sql.run(sql`delete from read_allowances where org_id = ${org.org_id}`);
  expect((await sendRead(app, org, alias)).status).toBe(200);
  await app.drainQueue();
  const [mail] = await listMailsAfter(week_ms);
  expect(mail!.text).toContain('One read of your trait profile: free.');
});

test('an account that is about to be deleted gets no email, and a withdrawn consent hides no earlier read', async () => {
  await choose('immediately');
  await read('archetype');
  await decideConsent(app, member, 'identity_queries', false);
  expect(await listMailsAfter(2 * hour_ms)).toHaveLength(1);
  await decideConsent(app, member, 'identity_queries', true);
  await approveCategory(app, member, 'archetype');
  await read('archetype');
  await app.sql.run(
    sql`update members set account_status = 'pending_deletion' where id = ${member.member_id}`,
  );
  expect(await listMailsAfter(2 * hour_ms)).toHaveLength(1);
  await app.sql.transaction(async (tx) => {
    const accounts = { user_ids: [member.user_id], emails: [member.email] };
    await app.platform.personalData['notifications']!.erasePersonalData(tx, member.member_id, accounts);
  });
  expect(await app.sql.list(sql`select from read_notices where user_id = ${member.user_id}`)).toEqual([]);
});

test('a thousand reads by many organisations become few lines', async () => {
  const at = app.clock.now();
  await app.sql.run(sql`
    insert into organisations (id, name, created_at)
    select gen_random_uuid(), 'Reader ' || number, ${at} from generate_series(1, 50) as number`);
  await app.sql.run(sql`
    insert into reads (member_id, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, created_at)
    select ${member.member_id}, gen_random_uuid(), organisations.id, ${org.user_id}, 'archetype', 'allowance', 0, 0, 7500, 10000, ${at}
    from organisations cross join generate_series(1, 20) where name like 'Reader %'`);
  await runTask(app, notifyOfRead, { member_id: member.member_id });
  const [mail] = await listMailsAfter(week_ms);
  expect(mail!.text).toContain('made 1000 reads');
  expect(mail!.text.match(/20 reads of your archetype: free/g)).toHaveLength(20);
  expect(mail!.text).toContain('600 reads by further organisations.');
});
