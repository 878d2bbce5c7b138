import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createFileWriter, quiet, simulateAnswers, smallBankCsv } from '#test/modules/banks.ts';
import { calibrateItems } from '../calibration/calibrate-items.ts';
import { itemBank } from '../items/item-bank.ts';
import { importBank } from '../banks/import-bank.ts';

const app = await startApp();
const write = await createFileWriter();
const { token } = await app.registerPlatformAdmin();
const own = itemBank.parameter_version;
await importBank(app.platform, { file: await write('bank.csv', smallBankCsv), name: 'small' });

const read = (path: string) => app.request('GET', `/operator/banks${path}`, { token });
const use = (bank: string, version: string) =>
  app.request('POST', `/operator/banks/${encodeURIComponent(bank)}/versions/${version}/use`, { token });

test('a version is read by scale with what its calibration flagged, and cannot be used without traits', async () => {
  const csv = await write('answers.csv', simulateAnswers({ people: 600, seed: 3 }).csv);
  const { version } = await calibrateItems(app.platform, { csv, bank: 'small' }, quiet);
  const path = `/small/versions/${encodeURIComponent(version!)}`;
  const { body } = await read(`${path}?scale=order`);
  expect(body).toMatchObject({ in_use: false, respondents: 600, languages: ['en'], scale: 'order' });
  expect(body.scales).toMatchObject([{ scale: 'calm', trait: null, statements: 8 }, { scale: 'order' }]);
  expect(body.statements).toHaveLength(8);
  expect(body.statements[0]).toMatchObject({ status: 'asked', answers: 600 });
  const refused = await use('small', encodeURIComponent(version!));
  expect([refused.status, refused.body.code]).toEqual([409, 'version_not_usable']);
  expect(refused.body.detail).toContain('name no trait');
  expect((await read('')).body.in_use).toBe(own);
});

test('the scales of our own bank are traits; refuses what does not exist, other roles, and an empty scale', async () => {
  const { scales } = (await read(`/tessera/versions/${own}`)).body;
  expect(scales.every(({ scale, trait }: { scale: string; trait: string }) => trait === scale)).toBe(true);
  for (const path of ['/none/versions/x', '/tessera/versions/x', '/tessera/versions/x/preview'])
    expect((await read(path)).body.code).toBe('calibration_not_found');
  expect((await use('tessera', 'none')).body.code).toBe('calibration_not_found');
  expect((await read(`/tessera/versions/${own}?scale=`)).status).toBe(422);
  const path = `/operator/banks/tessera/versions/${own}`;
  expect((await app.request('GET', path)).status).toBe(401);
  const admin = await app.registerOrgAdmin();
  expect((await app.request('GET', path, { token: admin.token })).body.code).toBe('role_not_allowed');
});
