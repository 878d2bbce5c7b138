import { expect, test } from 'vitest';
import { checkBooks } from '#modules/income/books';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createStub } from '#test/modules/stubs.ts';
import { createPayment, readBooks, sendRead } from '#test/modules/reads.ts';
import { runTask } from '#test/modules/matching.ts';
import { createEmail, password } from '#test/users.ts';
import { forgetStubs } from './forget-stubs.ts';

const app = await startApp();

const remove = (code: string) => app.request('DELETE', `/identity/stub/${encodeURIComponent(code)}`);
const read = (code: string) => app.request('GET', `/identity/stub/${encodeURIComponent(code)}`);
const claim = (claim_code: string) =>
  app.request('POST', '/identity/claim', {
    body: { claim_code, email: createEmail(), password, tos_accepted: true },
  });

/** What is left of a stub in all tables that name its member. */
const countRows = (member_id: string) =>
  app.sql.one(sql`
    select (select count(*) from members where id = ${member_id}) as members,
      (select count(*) from trait_vectors where member_id = ${member_id}) as vectors,
      (select count(*) from stub_observations where member_id = ${member_id}) as observations,
      (select count(*) from reads where member_id = ${member_id}) as reads,
      (select count(*) from ledger_journals where holder_id = ${member_id}) as journals`);

test('a deletion by the code ends the stub at once, erases the person and keeps the books', async () => {
  const { body: stub } = await createStub(app);
  const org = await app.registerOrgAdmin();
  const payment = createPayment();
  expect((await sendRead(app, org, stub.member_id, { payment })).status).toBe(200);
  const before = await readBooks(app);
  expect((await remove(stub.claim_code.toLowerCase())).status).toBe(204);
  for (const reply of [
    await read(stub.claim_code),
    await claim(stub.claim_code),
    await remove(stub.claim_code),
  ])
    expect([reply.status, reply.body.code]).toEqual([404, 'stub_not_found']);
  const unpaid = await sendRead(app, org, stub.member_id, { payment: createPayment() });
  expect(unpaid.status).toBeGreaterThanOrEqual(403);
  await app.drainQueue();
  expect(await countRows(stub.member_id)).toEqual({
    members: 0,
    vectors: 0,
    observations: 0,
    reads: 0,
    journals: 0,
  });
  const after = await readBooks(app);
  expect([after.reads, after.journals, after.income]).toEqual([before.reads, before.journals, before.income]);
  expect((await checkBooks(app.platform)).faults).toEqual([]);
});

test('of a deletion and claims at the same time, one succeeds', async () => {
  const { body: stub } = await createStub(app);
  const replies = await Promise.all([
    remove(stub.claim_code),
    ...Array.from({ length: 4 }, () => claim(stub.claim_code)),
    remove(stub.claim_code),
  ]);
  const won = replies.filter(({ status }) => status < 300);
  expect(won).toHaveLength(1);
  for (const { status } of replies) expect([201, 204, 404, 410]).toContain(status);
});

test('a claimed identity is not deleted by its code', async () => {
  const { body: stub } = await createStub(app);
  expect((await claim(stub.claim_code)).status).toBe(201);
  const reply = await remove(stub.claim_code);
  expect([reply.status, reply.body.code]).toEqual([410, 'stub_claimed']);
});

test('an unknown code is not found', async () => {
  for (const code of ['TES-0000000000', 'nonsense']) {
    const reply = await remove(code);
    expect([reply.status, reply.body.code]).toEqual([404, 'stub_not_found']);
  }
});

test('a stub that nobody claims for two years is erased, and a claimed one stays', async () => {
  const [{ body: old }, { body: claimed }] = [await createStub(app), await createStub(app)];
  expect((await claim(claimed.claim_code)).status).toBe(201);
  app.clock.advance(729 * 86_400_000);
  const { body: recent } = await createStub(app);
  await runTask(app, forgetStubs, {});
  expect((await read(old.claim_code)).status).toBe(200);
  app.clock.advance(2 * 86_400_000);
  await runTask(app, forgetStubs, {});
  await app.drainQueue();
  expect((await read(old.claim_code)).status).toBe(404);
  expect(await countRows(old.member_id)).toMatchObject({ members: 0, vectors: 0 });
  expect(await countRows(claimed.member_id)).toMatchObject({ members: 1 });
  expect((await read(recent.claim_code)).status).toBe(200);
});
