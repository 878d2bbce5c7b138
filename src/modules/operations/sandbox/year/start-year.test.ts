import { beforeAll, expect, test } from 'vitest';
import { checkBooks } from '#modules/income/books';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  listEvents,
  openSandbox,
  readSandbox,
  startYear,
  waitUntilEnded,
  year_timeout_ms,
  type OpenedSandbox,
} from '../../../../../test/modules/sandbox-years.ts';

const sandbox = { TESSERA_SANDBOX: 'on', TESSERA_RATE_LIMITS: 'off' };
let opened: OpenedSandbox;
let again: OpenedSandbox;
beforeAll(async () => {
  opened = await openSandbox(await startApp(sandbox));
  again = await openSandbox(await startApp(sandbox));
});

const refuse = async (each: OpenedSandbox, body: object, token?: string) => {
  const { status, body: reply } = await startYear(each, body, token);
  return [status, reply.code];
};

test.each([[-1], [2 ** 32], [1.5], ['1'], [true], [{}], [[1]], ['']])(
  'the seed %j is refused, and nothing begins',
  async (seed) => {
    expect(await refuse(opened, { seed })).toEqual([422, 'field_invalid']);
    expect((await readSandbox(opened)).year).toBeNull();
  },
);

test('members, the operator, strangers, an empty sandbox and a real service play no year', async () => {
  const { app } = opened;
  const [member, operator] = [await app.registerMember(), await app.registerPlatformAdmin()];
  for (const { token } of [member, operator])
    expect(await refuse(opened, {}, token)).toEqual([403, 'role_not_allowed']);
  expect((await app.request('POST', '/sandbox/year', { body: {} })).status).toBe(401);
  const unverified = await app.registerOrgAdmin({ is_verified: false });
  expect(await refuse(opened, {}, unverified.token)).toEqual([403, 'email_not_verified']);
  const empty = await startApp(sandbox);
  const { token } = await empty.registerOrgAdmin();
  expect(await refuse({ app: empty, key: token }, {})).toEqual([409, 'sandbox_empty']);
  const real = await startApp();
  const administrator = await real.registerOrgAdmin();
  expect(await refuse({ app: real, key: administrator.token }, {})).toEqual([404, 'sandbox_not_found']);
});

test(
  'the same seed gives the same year: what happens, when and to whom; and a second one waits for the first',
  async () => {
    const stranger = await opened.app.registerDeployedMember();
    const replies = [await startYear(opened), await startYear(again, { seed: 7 })];
    expect(replies.map(({ status }) => status)).toEqual([202, 202]);
    expect(await refuse(opened, { seed: 8 })).toEqual([409, 'year_running']);
    // An advance takes its turn after the year, which has gone further than it.
    const body = { advance_seconds: 60 };
    const advance = await opened.app.request('POST', '/sandbox/clock', { token: opened.key, body });
    await Promise.all([opened, again].map(waitUntilEnded));
    const { year, now } = await readSandbox(opened);
    expect(year).toMatchObject({ status: 'finished', seed: 7, acts_done: year.acts_total });
    expect(new Date(now).getTime()).toBe(new Date(year.began_at).getTime() + (364 * 24 + 9) * 3_600_000);
    const events = await listEvents(opened);
    expect(await listEvents(again)).toEqual(events);
    const types = new Set(events.map((each) => (JSON.parse(each) as { type: string }).type));
    expect([...types]).toEqual(expect.arrayContaining(typesOfYear));
    // Who was not made up has no part in it.
    const others = await opened.app.sql.list(sql<{ type: string }>`
      select distinct type from kept_events where data->>'member_id' = ${stranger.member_id}`);
    expect(others.filter(({ type }) => typesOfYear.includes(type))).toEqual([]);
    const read = async (task_id: string) =>
      (await opened.app.request('GET', `/tasks/${task_id}`, { token: opened.key })).body;
    await expect
      .poll(async () => (await read(advance.body.task_id)).status, { timeout: 60_000 })
      .toBe('succeeded');
  },
  2 * year_timeout_ms,
);

const typesOfYear = [
  'attestation.issued',
  'attestation.revoked',
  'feedback.stage_opened',
  'invitation.updated',
  'job.closed',
  'match.accepted',
  'match.declined',
  'match.expired',
  'match.proposed',
  'placement.created',
  'placement.updated',
  'reads.readRecorded',
  'reviews.review_changed',
];

test('the books balance after a year, with paid reads, refunds and payouts, none of them stuck', async () => {
  const { app } = opened;
  expect((await checkBooks(app.platform)).faults).toEqual([]);
  const payouts = await app.sql.list(sql<{ kind: string; status: string }>`
    select distinct kind, status from payouts order by kind`);
  expect(payouts).toEqual([
    { kind: 'income', status: 'paid' },
    { kind: 'refund', status: 'paid' },
  ]);
  const { fault_count } = await app.sql.one(sql<{ fault_count: number }>`
    select fault_count from money_watch where topic = 'books'`);
  expect(fault_count).toBe(0);
});
