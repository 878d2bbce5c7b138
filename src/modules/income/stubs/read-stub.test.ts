import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createStub } from '#test/modules/stubs.ts';
import { createPayment, readBooks, sendRead } from '#test/modules/reads.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const readStub = (code: string) => app.request('GET', `/identity/stub/${encodeURIComponent(code)}`);

proves(
  'stub-fields',
  'stub-is-anonymous-and-claimable',
  'stub-attunement-band-value-known',
  'stub-status-value-unclaimed',
  'stub-get-endpoint-public',
  'open-values-attunement-band',
);
test('a stub is read by its code without an account, and names nobody', async () => {
  const { status, body: created } = await createStub(app);
  expect(status).toBe(201);
  const expected = {
    claim_code: expect.stringMatching(/^TES-[0-9A-HJKMNP-TV-Z]{10}$/),
    trait_count: 8,
    query_count: 0,
    accrued_earnings: 0,
    attunement_band: 'Known',
    created_at: expect.any(String),
    status: 'unclaimed',
  };
  expect(created).toEqual({ ...expected, member_id: expect.any(String) });
  const typed = created.claim_code.toLowerCase().replace('-', '');
  expect((await readStub(typed)).body).toEqual({ ...expected, claim_code: created.claim_code });
});

test('a stub is read and earns before it is claimed, and shows it', async () => {
  const { body: stub } = await createStub(app);
  const org = await app.registerOrgAdmin();
  const free = await sendRead(app, org, stub.member_id);
  expect([free.status, free.body.data.data_completeness]).toEqual([200, 'partial']);
  expect((await sendRead(app, org, stub.member_id, { payment: createPayment() })).status).toBe(200);
  const { body } = await readStub(stub.claim_code);
  expect(body.query_count).toBe(2);
  const { income } = await readBooks(app);
  expect(body.accrued_earnings).toBe(income / 1_000_000);
  expect(body.accrued_earnings).toBeGreaterThan(0);
  const refused = await sendRead(app, org, stub.member_id, { data_type: 'values_profile' });
  expect(refused.body.code).toBe('category_not_approved');
});

test('a network that tries codes is stopped', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 25; attempt++) {
    const code = `TES-${String(attempt).padStart(10, '0')}`;
    statuses.push((await limited.request('GET', `/identity/stub/${code}`)).status);
  }
  expect(statuses.slice(0, 20)).toEqual(Array<number>(20).fill(404));
  expect(statuses.slice(20)).toEqual(Array<number>(5).fill(429));
});
