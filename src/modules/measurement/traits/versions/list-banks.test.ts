import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createFileWriter, smallBankCsv } from '#test/modules/banks.ts';
import { importBank } from '../banks/import-bank.ts';
import { itemBank } from '../items/item-bank.ts';

test('banks are listed for the operator, ours first, also one without a version', async () => {
  const app = await startApp();
  const write = await createFileWriter();
  await importBank(app.platform, { file: await write('bank.csv', smallBankCsv), name: 'small' });
  const own = itemBank.parameter_version;
  const { token } = await app.registerPlatformAdmin();
  const { status, body } = await app.request('GET', '/operator/banks', { token });
  expect([status, body.in_use]).toEqual([200, own]);
  expect(body.banks.map(({ bank }: { bank: string }) => bank)).toEqual(['tessera', 'small']);
  expect(body.banks[0].versions[0]).toMatchObject({ version: own, created_at: null });
  expect(body.banks[1].versions).toEqual([]);
  expect((await app.request('GET', '/operator/banks')).status).toBe(401);
  const admin = await app.registerOrgAdmin();
  const refused = await app.request('GET', '/operator/banks', { token: admin.token });
  expect(refused.body.code).toBe('role_not_allowed');
});
