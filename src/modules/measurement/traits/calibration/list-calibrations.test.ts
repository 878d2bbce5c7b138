import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import { itemBank } from '../items/item-bank.ts';

const built_in = itemBank.parameter_version;

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const list = async () => (await app.request('GET', '/operator/calibrations', { token: operator.token })).body;

test('the versions are listed without parameters', async () => {
  expect(await list()).toEqual({
    in_use: built_in,
    listed: built_in,
    rescoring: null,
    versions: [
      {
        bank: 'tessera',
        version: 'mvp20-1.judged',
        provisional: true,
        base_version: null,
        respondents: 0,
        created_at: null,
      },
      {
        bank: 'tessera',
        version: 'mvp20-2.anchored',
        provisional: true,
        base_version: null,
        respondents: 0,
        created_at: null,
      },
      {
        bank: 'tessera',
        version: built_in,
        provisional: true,
        base_version: null,
        respondents: 0,
        created_at: null,
      },
    ],
  });
});

test('only a platform administrator may list them', () =>
  expectOperatorOnly(app, 'GET', '/operator/calibrations'));
