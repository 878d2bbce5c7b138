import { expect, test } from 'vitest';
import { findOrganisationRead } from '#modules/income/books';
import { startApp, unknownId } from '#test/harness.ts';
import { createColleague } from '#test/colleague.ts';
import { recordSoldRead } from '#test/modules/books.ts';
import { buildOrganisationReceipt } from './build-receipt.ts';
import { computePseudonym } from '../pseudonym.ts';

const app = await startApp();
const member = await app.registerMember();
const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
const read_id = await recordSoldRead(app, member.member_id, { gross: 250_000n, org_id: org.org_id });

const download = (token: string | undefined, id = read_id) =>
  app.server.inject({
    url: `/api/v1/orgs/queries/reads/${id}/receipt`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

test('every user of the organisation downloads a tagged PDF about a read', async () => {
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  for (const { token } of [org, viewer]) {
    const { statusCode, headers, rawPayload } = await download(token);
    expect([statusCode, headers['content-disposition']]).toEqual([
      200,
      `attachment; filename="tessera-purchase-${read_id}.pdf"`,
    ]);
    const text = rawPayload.toString('latin1');
    for (const mark of ['%PDF-', '/Marked true', '/StructTreeRoot', 'pdfuaid']) expect(text).toContain(mark);
  }
});

test('it names the person by the pseudonym of the reads alone, and says how the read was paid', async () => {
  const read = (await findOrganisationRead(app.sql, org.org_id, read_id))!;
  const pseudonym = computePseudonym(app.platform, org.org_id, member.member_id);
  const receipt = buildOrganisationReceipt({
    read,
    settlement: { network: 'eip155:8453', payer: '0xa1', transaction: '0xb2' },
    organisation: 'Harbour Health',
    pseudonym,
  });
  const rows = receipt.parts.flatMap((part) => part.rows.map(({ label, value }) => [label, value]));
  expect(Object.fromEntries(rows)).toMatchObject({
    Buyer: 'Harbour Health',
    Person: `${pseudonym.slice(0, 8)}, the name in your reads`,
    Price: 'US$0.25',
    Blockchain: 'Base',
    'Paid from': '0xa1',
    Transaction: '0xb2',
    Status: 'Paid',
  });
  expect(receipt.summary).toBe(
    'Harbour Health paid US$0.25 to read the trait profile of one person on 2 March 2026.',
  );
  expect(JSON.stringify(receipt)).not.toContain(member.member_id);
});

test('nobody else gets it: not the member, another organisation or a stranger', async () => {
  const other = await app.registerOrgAdmin();
  const foreign = await download(other.token);
  expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'read_not_found']);
  expect((await download(org.token, unknownId)).json().code).toBe('read_not_found');
  expect((await download(member.token)).statusCode).toBe(403);
  expect((await download(undefined)).statusCode).toBe(401);
});

test('rejects an id that is not a UUID', async () => {
  const reply = await download(org.token, 'nonsense');
  expect([reply.statusCode, reply.json().errors[0].pointer]).toEqual([422, '/read_id']);
});
