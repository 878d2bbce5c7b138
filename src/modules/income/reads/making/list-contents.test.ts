import { beforeEach, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestReply } from '#test/harness.ts';
import { createPayment, readBooks, sendRead, spendAllowance } from '#test/modules/reads.ts';
import { createStub } from '#test/modules/stubs.ts';
import { proves } from '#test/requirements.ts';
import type { TestOrgUser } from '#test/users.ts';

let org: TestOrgUser;
const app = await startApp();
beforeEach(async () => {
  org = await app.registerOrgAdmin();
});

const prepare = async (...observed: readonly (readonly [trait: string, confidence: string])[]) => {
  const observations = observed.map(([trait, confidence]) => ({ trait, level: 'above', confidence }));
  return (await createStub(app, { observations })).body.member_id as string;
};
const expectNothing = async (reply: TestReply) => {
  expect([reply.status, reply.body.code]).toEqual([409, 'nothing_to_read']);
  expect(reply.body.pricing).toBeUndefined();
};

test('a read that would say nothing is refused before it is paid, quoted, or taken from the free reads', async () => {
  const before = await readBooks(app);
  const known = await prepare(['persistence', 'high']);
  await expectNothing(await sendRead(app, org, known, { data_type: 'archetype' }));
  await expectNothing(await sendRead(app, org, known, { data_type: 'archetype', payment: createPayment() }));
  const guessed = await prepare(['persistence', 'low']);
  await expectNothing(await sendRead(app, org, guessed));
  await spendAllowance(app, org);
  await expectNothing(await sendRead(app, org, guessed));
  expect(await readBooks(app)).toEqual(before);
  const { count } = await app.sql.one(
    sql<{ count: number }>`select count(*) from read_quotes where org_id = ${org.org_id}`,
  );
  expect(count).toBe(0);
});

test('the quote says which parts the read will contain and how much is known, and the read contains them', async () => {
  proves('open-undefined-pricing-metadata-fields');
  await spendAllowance(app, org);
  const known = await prepare(['persistence', 'high']);
  const quoted = await sendRead(app, org, known);
  expect(quoted.body.pricing).toMatchObject({ parts: ['trait_tiers'], data_completeness: 'minimal' });
  const read = await sendRead(app, org, known, { payment: createPayment() });
  expect([read.status, read.body.data.data_completeness]).toEqual([200, 'minimal']);
  const partial = (await createStub(app)).body.member_id as string;
  expect((await sendRead(app, org, partial)).body.pricing).toMatchObject({
    parts: ['trait_tiers', 'archetype'],
    data_completeness: 'partial',
  });
});
