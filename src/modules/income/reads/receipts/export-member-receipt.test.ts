import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { recordSoldRead } from '#test/modules/books.ts';
import { findRead } from '#modules/income/books';
import { formatReceiptNumber } from '#platform/pdf/format-receipt-number.ts';
import { buildMemberReceipt } from './build-receipt.ts';

const app = await startApp();
const member = await app.registerMember();
const org = await app.registerOrgAdmin({ name: 'Hafengesundheit Łódź' });
const read_id = await recordSoldRead(app, member.member_id, { gross: 33_333n, org_id: org.org_id });

const download = (token: string | undefined, id = read_id) =>
  app.server.inject({
    url: `/api/v1/members/me/reads/${id}/receipt`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

/** The rows of the receipt by their labels. */
async function readRows(id: string): Promise<Readonly<Record<string, string>>> {
  const read = await findRead(app.sql, member.member_id, id);
  const { parts } = buildMemberReceipt(read!, app.clock.now());
  return Object.fromEntries(parts.flatMap(({ rows }) => rows.map(({ label, value }) => [label, value])));
}

test('a member downloads a tagged PDF about a read', async () => {
  const { statusCode, headers, rawPayload } = await download(member.token);
  expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
    200,
    'application/pdf',
    `attachment; filename="tessera-read-${read_id}.pdf"`,
  ]);
  const text = rawPayload.toString('latin1');
  for (const mark of ['%PDF-', '/Marked true', '/StructTreeRoot', 'pdfuaid']) expect(text).toContain(mark);
});

test('it says who read what and when, and splits the price without losing a millionth', async () => {
  expect(await readRows(read_id)).toMatchObject({
    'Receipt number': formatReceiptNumber(read_id),
    Organisation: 'Hafengesundheit Łódź',
    'What was read': expect.stringContaining('Trait profile'),
    'Paid by the organisation': 'US$0.033333',
    'Your share': 'US$0.024999 (75 %)',
    'Share of the service': 'US$0.008334',
    Status: 'Earned. It cannot be paid out yet.',
  });
});

test('it begins with the whole in a sentence, and has no id and no date in digits', async () => {
  const read = (await findRead(app.sql, member.member_id, read_id))!;
  const receipt = buildMemberReceipt(read, app.clock.now());
  expect(receipt.summary).toBe(
    'Hafengesundheit Łódź paid US$0.033333 to read your trait profile on 2 March 2026. US$0.024999 of it is yours.',
  );
  const free = buildMemberReceipt({ ...read, gross: 0n, data_type: 'alignment' }, app.clock.now());
  expect(free.summary).toMatch(/ read how well you suit its culture on 2 March 2026, free of charge\.$/);
  expect(JSON.stringify(receipt)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|\d{4}-\d{2}-\d{2}/);
});

test('both shares are drawn as the parts of what was paid, and nothing of a free read is', async () => {
  const read = (await findRead(app.sql, member.member_id, read_id))!;
  const listParts = (gross: bigint) =>
    buildMemberReceipt({ ...read, gross }, app.clock.now()).parts.flatMap(({ rows }) =>
      rows.flatMap(({ label, part }) => (part ? [[label, part]] : [])),
    );
  expect(listParts(33_333n)).toEqual([
    ['Your share', { from: 0, to: 0.75 }],
    ['Share of the service', { from: 0.75, to: 1 }],
  ]);
  expect(listParts(0n)).toEqual([]);
});

test('a free read says that it earned no money, and an organisation that is gone has no name', async () => {
  const rows = await readRows(await recordSoldRead(app, member.member_id));
  expect(rows).toMatchObject({
    Organisation: 'An organisation that no longer exists',
    'Your share': 'US$0.00 (75 %)',
    Status: 'Free. It earns recognition and no money.',
  });
});

test('nobody else gets it: not the organisation, another member or a stranger', async () => {
  const other = await app.registerMember();
  const foreign = await download(other.token);
  expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'read_not_found']);
  expect((await download(member.token, unknownId)).json().code).toBe('read_not_found');
  expect((await download(org.token)).statusCode).toBe(403);
  expect((await download(undefined)).statusCode).toBe(401);
});

test('rejects an id that is not a UUID', async () => {
  const reply = await download(member.token, 'nonsense');
  expect([reply.statusCode, reply.json().errors[0].pointer]).toEqual([422, '/read_id']);
});
