import { beforeAll, describe, expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { buyRead, fillBalance } from '#test/modules/balances.ts';
import { findAliases, registerReadable } from '#test/modules/reads.ts';
import { readPdfText } from '#test/read-pdf-text.ts';
import { findMachineWords } from '#test/web/list-machine-words.ts';
import { logInAgain, type TestOrgUser } from '#test/users.ts';

const app = await startApp();
const day_ms = 86_400_000;
let org: TestOrgUser;
let reference: string;
let paid: number;
let days: readonly string[];

beforeAll(async () => {
  const member = await registerReadable(app, ['trait_profile', 'archetype']);
  org = await app.registerOrgAdmin({ name: 'Harbour Health' });
  const [alias] = await findAliases(app, org, [member]);
  const first = app.clock.now().toISOString().slice(0, 10);
  reference = await fillBalance(app, org, 10);
  await buyRead(app, org, alias!);
  app.clock.advance(day_ms);
  const token = await logInAgain(app, org);
  org = { ...org, token };
  await buyRead(app, org, alias!, { data_type: 'archetype' });
  days = [first, app.clock.now().toISOString().slice(0, 10)];
  paid = 10 - (await readStatement(`from=${first}`)).body.closing_balance;
});

const readStatement = (query = '', token = org.token) =>
  app.request('GET', `/orgs/me/balance/statement?${query}`, { token });

const download = (query: string, accept = '*/*', token = org.token) =>
  app.server.inject({
    url: `/api/v1/orgs/me/balance/statement?${query}`,
    headers: { authorization: `Bearer ${token}`, accept },
  });

describe('the statement', () => {
  test('has every line with the balance after it, between the balances at both ends', async () => {
    const { status, body } = await readStatement(`from=${days[0]}`);
    expect([status, body]).toMatchObject([
      200,
      {
        from: days[0],
        to: days[1],
        opening_balance: 0,
        next_after: null,
        data: [
          { number: 1, kind: 'top_up', amount: 10, balance: 10, detail: reference, payment_id: null },
          { number: 2, kind: 'read', detail: 'trait_profile', payment_id: expect.any(String) },
          { number: 3, kind: 'read', detail: 'archetype', balance: body.closing_balance },
        ],
      },
    ]);
    expect(body.data[1].amount + body.data[2].amount).toBeCloseTo(-paid, 6);
  });

  test('of a day begins with what the day before has left', async () => {
    const { body } = await readStatement(`from=${days[1]}&to=${days[1]}`);
    expect(body.data.map(({ number }: { number: number }) => number)).toEqual([3]);
    expect(body.opening_balance + body.data[0].amount).toBeCloseTo(body.closing_balance, 6);
    expect((await readStatement('from=2020-01-01&to=2020-02-01')).body).toMatchObject({
      opening_balance: 0,
      closing_balance: 0,
      data: [],
    });
  });

  test('comes in pages', async () => {
    const first = (await readStatement(`from=${days[0]}&limit=2`)).body;
    expect([first.data.length, first.next_after]).toEqual([2, 2]);
    const second = (await readStatement(`from=${days[0]}&limit=2&after=${first.next_after}`)).body;
    expect([second.data.map(({ number }: { number: number }) => number), second.next_after]).toEqual([
      [3],
      null,
    ]);
  });

  test('is CSV or a tagged PDF, by the format or the Accept header', async () => {
    for (const [query, accept] of [
      ['format=csv', '*/*'],
      ['', 'text/csv'],
    ] as const) {
      const { headers, payload } = await download(`from=${days[0]}&${query}`, accept);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      const lines = payload.trimEnd().split('\r\n');
      expect(lines[0]).toBe('number,posted_at,kind,amount_usd,balance_usd,detail,payment_id');
      expect(lines[1]).toMatch(new RegExp(`^1,${days[0]}T[^,]+Z,top_up,10,10,${reference},$`));
      expect(lines).toHaveLength(4);
    }
    for (const [query, accept] of [
      ['format=pdf', '*/*'],
      ['', 'application/pdf'],
    ] as const) {
      const { headers, rawPayload } = await download(`from=${days[0]}&${query}`, accept);
      expect(headers['content-disposition']).toBe(
        `attachment; filename="tessera-balance-${days[0]}-${days[1]}.pdf"`,
      );
      const text = rawPayload.toString('latin1');
      expect(findMachineWords(readPdfText(rawPayload))).toEqual([]);
      for (const mark of ['%PDF-', '/Marked true', '/StructTreeRoot', '/Table', 'pdfuaid'])
        expect(text).toContain(mark);
    }
  });

  test('is read by every user of the organisation, and never by another one', async () => {
    const viewer = await createColleague(app, org.org_id, 'org_viewer');
    expect((await readStatement(`from=${days[0]}`, viewer.token)).body.data).toHaveLength(3);
    const other = await app.registerOrgAdmin();
    expect((await readStatement(`from=${days[0]}`, other.token)).body).toMatchObject({
      data: [],
      closing_balance: 0,
    });
    const member = await app.registerMember();
    expect((await readStatement('', member.token)).status).toBe(403);
    expect((await app.request('GET', '/orgs/me/balance/statement')).status).toBe(401);
  });

  test.each([
    ['from=2026-13-01', '/from'],
    ['from=2026-03-02&to=2026-03-01', '/from'],
    ['from=2020-01-01&to=2026-03-01', '/from'],
    ['format=xlsx', '/format'],
    ['limit=0', '/limit'],
    ['after=-1', '/after'],
  ])('refuses %s', async (query, pointer) => {
    const { status, body } = await readStatement(query);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
