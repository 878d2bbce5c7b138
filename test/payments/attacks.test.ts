import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { listStatements } from '#test/list-statements.ts';
import { startApp, type TestApp } from '../harness.ts';
import {
  approveCategory,
  changeWhenPaid,
  createPayment,
  findAliases,
  readBooks,
  registerReadable,
  sendRead,
  spendAllowance,
} from '../modules/reads.ts';
import type { TestMember, TestOrgUser } from '../users.ts';
import { waitUntilBlocked } from '../wait-until-blocked.ts';
import { lockForSuspension } from '../../src/modules/organisations/orgs/suspension/store.ts';

let app: TestApp;
let member: TestMember;
let org: TestOrgUser;
let alias: string;
beforeEach(async () => {
  app = await startApp();
  member = await registerReadable(app);
  org = await app.registerOrgAdmin();
  [alias] = (await findAliases(app, org, [member])) as [string];
});

const nothing = { reads: 0, claims: 0, journals: 0, refunds: 0 };

test('an id that exists is refused like one that does not: the same reply, and as many statements', async () => {
  const stranger = await registerReadable(app);
  const other = await app.registerOrgAdmin();
  const [foreignAlias] = (await findAliases(app, other, [stranger])) as [string];
  // An alias differs from other ids in its form, which says nothing about whether it exists.
  const unknownAlias = `${randomUUID().slice(0, 14)}8${randomUUID().slice(15)}`;
  const forms = [
    [randomUUID(), stranger.member_id, other.org_id],
    [unknownAlias, foreignAlias],
  ];
  // What is remembered between requests is remembered for all.
  await sendRead(app, org, randomUUID());
  for (const payment of [undefined, createPayment()])
    for (const ids of forms) {
      const seen = [];
      for (const id of ids) {
        let reply: Awaited<ReturnType<typeof sendRead>> | undefined;
        const statements = await listStatements(async () => {
          reply = await sendRead(app, org, id, payment === undefined ? {} : { payment });
        });
        const { request_id: _id, ...body } = reply!.body;
        seen.push({ status: reply!.status, body, statements });
      }
      expect(seen[0]).toMatchObject({ status: 404, body: { code: 'member_not_found' } });
      expect(seen[0]!.statements).not.toEqual([]);
      for (const each of seen) expect(each).toEqual(seen[0]);
    }
  expect(await readBooks(app)).toMatchObject(nothing);
});

describe('the price', () => {
  beforeEach(() => spendAllowance(app, org));

  const readPrice = async () => (await sendRead(app, org, alias)).body.pricing.price as number;
  const listCharged = async () => {
    const rows = await app.sql.list(
      sql<{ gross: number }>`select gross_micros as gross from reads order by created_at, id`,
    );
    return rows.map(({ gross }) => gross / 1_000_000);
  };

  /** Decides about everything but what is bought, which moves the price by a step. */
  const approveOthers = async (approved: boolean) => {
    for (const category of ['archetype', 'values_profile', 'alignment'] as const)
      await approveCategory(app, member, category, approved);
  };

  test('that is charged is the one that was quoted, when the member becomes cheaper after the quote', async () => {
    const quoted = await readPrice();
    await approveOthers(false);
    expect((await sendRead(app, org, alias, { payment: createPayment() })).status).toBe(200);
    expect(await listCharged()).toEqual([quoted]);
    expect(await readPrice()).toBeLessThan(quoted);
  });

  test('is one that was quoted, whatever the member changes while it is asked for and paid', async () => {
    const quotes: number[] = [];
    const changeOften = async () => {
      for (let change = 0; change < 6; change++) await approveOthers(change % 2 === 1);
    };
    const readAndPay = async () => {
      for (let round = 0; round < 4; round++) {
        quotes.push(await readPrice());
        expect((await sendRead(app, org, alias, { payment: createPayment() })).status).toBe(200);
        // Reads are listed by time.
        app.clock.advance(1);
      }
    };
    await Promise.all([changeOften(), readAndPay()]);
    const charged = await listCharged();
    expect(charged).toHaveLength(4);
    for (const [index, price] of charged.entries())
      expect(price).toBe(Math.min(...quotes.slice(0, index + 1)));
  });
});

describe('a suspension', () => {
  const setStatus = (account_status: string) =>
    app.sql.run(sql`update members set account_status = ${account_status} where id = ${member.member_id}`);

  test('of the member refuses every read before anything is paid, and a resumed member can be read', async () => {
    await setStatus('suspended');
    for (const payment of [undefined, createPayment()]) {
      const { status, body } = await sendRead(app, org, alias, payment === undefined ? {} : { payment });
      expect([status, body.code]).toEqual([403, 'consent_required']);
    }
    expect(await readBooks(app)).toMatchObject(nothing);
    await setStatus('active');
    expect((await sendRead(app, org, alias, { payment: createPayment() })).status).toBe(200);
  });

  test('of the organisation refuses reads and payments of a session that is still open', async () => {
    const { token } = await app.registerPlatformAdmin();
    const suspended = await app.request('POST', `/operator/organisations/${org.org_id}/suspend`, { token });
    expect(suspended.status).toBe(200);
    for (const payment of [undefined, createPayment()]) {
      const { status } = await sendRead(app, org, alias, payment === undefined ? {} : { payment });
      expect([401, 403]).toContain(status);
    }
    expect(await readBooks(app)).toMatchObject(nothing);
  });

  test.each(['member', 'organisation'])(
    'of the %s while a read waits that is stored with its payment prevents both',
    async (kind) => {
      let reading: ReturnType<typeof sendRead> | undefined;
      await app.sql.transaction(async (tx) => {
        if (kind === 'organisation') await lockForSuspension(tx, org.org_id);
        else await tx.run(sql`select from members where id = ${member.member_id} for update`);
        reading = sendRead(app, org, alias, { payment: createPayment() });
        await waitUntilBlocked(app);
        await tx.run(
          kind === 'member'
            ? sql`update members set account_status = 'suspended' where id = ${member.member_id}`
            : sql`update organisations set suspended_at = ${app.clock.now()} where id = ${org.org_id}`,
        );
      });
      expect((await reading!).status).toBe(403);
      expect(await readBooks(app)).toMatchObject(nothing);
    },
  );

  test.each(['member', 'organisation'])(
    'of the %s while a payment is settled prevents the read, and the amount is owed back',
    async (kind) => {
      const payment = createPayment();
      await changeWhenPaid(
        app,
        kind === 'member'
          ? `update members set account_status = 'suspended' where id = '${member.member_id}'`
          : `update organisations set suspended_at = now() where id = '${org.org_id}'`,
      );
      expect((await sendRead(app, org, alias, { payment })).status).toBe(403);
      expect(await readBooks(app)).toMatchObject({ reads: 0, claims: 1, refused: 1, refunds: 1, income: 0 });
      expect((await sendRead(app, org, alias, { payment })).status).toBeGreaterThanOrEqual(400);
      expect(await readBooks(app)).toMatchObject({ reads: 0, claims: 1 });
    },
  );
});
