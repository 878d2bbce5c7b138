import { beforeAll, expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { recordSoldRead, requestAndSendPayout, sample_destination } from '#test/modules/books.ts';
import { buildPayoutReceipt } from './export-payout-receipt.ts';
import { findPayout } from './store.ts';

let payout_id: string;
const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });
const member = await app.registerMember();
beforeAll(async () => {
  await recordSoldRead(app, member.member_id, { gross: 10_000_000n, hold_seconds: 0 });
  await requestAndSendPayout(app, member.token, 1.5);
  const { body } = await app.request('GET', '/members/me/payouts', { token: member.token });
  payout_id = body.data[0].id;
});

const download = (token: string | undefined, id = payout_id) =>
  app.server.inject({
    url: `/api/v1/members/me/payouts/${id}/receipt`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

test('a member downloads a tagged PDF about a payout', async () => {
  const { statusCode, headers, rawPayload } = await download(member.token);
  expect([statusCode, headers['content-disposition']]).toEqual([
    200,
    `attachment; filename="tessera-payout-${payout_id}.pdf"`,
  ]);
  const text = rawPayload.toString('latin1');
  for (const mark of ['%PDF-', '/Marked true', '/StructTreeRoot', 'pdfuaid']) expect(text).toContain(mark);
});

test('it says the amount, where it went and what has become of it', async () => {
  const payout = (await findPayout(app.sql, { holder_id: member.member_id, id: payout_id }))!;
  const listRows = (changes: Partial<typeof payout>) => {
    const [part] = buildPayoutReceipt({ ...payout, ...changes }).parts;
    return Object.fromEntries(part!.rows.map(({ label, value }) => [label, value]));
  };
  expect(listRows({})).toMatchObject({
    Amount: 'US$1.50',
    'Paid to': sample_destination,
    Status: 'Paid out',
    Paid: expect.stringMatching(/UTC$/),
  });
  expect(buildPayoutReceipt(payout).summary).toMatch(
    /^US\$1\.50 of your income was paid out on \d+ \w+ 2026\.$/,
  );
  // No transaction carries a mock payout.
  expect(listRows({})).not.toHaveProperty('Transaction');
  const sending = { rail: 'chain', status: 'sending', transaction_hash: '0xb2', ended_at: null } as const;
  expect(listRows(sending)).toMatchObject({ Transaction: '0xb2', Status: 'Being sent' });
  expect(listRows(sending)).not.toHaveProperty('Paid');
  expect(listRows({ status: 'returned' })).toHaveProperty('Returned');
});

test('nobody else gets it: not another member, an organisation or a stranger', async () => {
  const other = await app.registerMember();
  const foreign = await download(other.token);
  expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'payout_not_found']);
  expect((await download(member.token, unknownId)).json().code).toBe('payout_not_found');
  expect((await download((await app.registerOrgAdmin()).token)).statusCode).toBe(403);
  expect((await download(undefined)).statusCode).toBe(401);
});

test('rejects an id that is not a UUID', async () => {
  const reply = await download(member.token, 'nonsense');
  expect([reply.statusCode, reply.json().errors[0].pointer]).toEqual([422, '/payout_id']);
});
