import { expect, test } from 'vitest';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { originRows } from '../src/tables/origin.ts';
import { startApp, unknownId } from './harness.ts';

const app = await startApp();

const rows = [
  ...[...specifiedRows, ...additionalRows].map(({ method, path }) => ({ method, path: `/api/v1${path}` })),
  ...originRows,
];

test('every path of the tables gives the same reply with and without a slash at its end', async () => {
  for (const { method, path } of rows) {
    const url = path.replace(/\{\w+\}/g, unknownId).replace(/\/$/, '');
    const [bare, slashed] = [await app.request(method, `/${url}`), await app.request(method, `/${url}/`)].map(
      ({ status, body }) => [method, path, status, body?.code ?? null],
    );
    expect(slashed).toEqual(bare);
  }
});

test('a known path with another method is 405 with and without the slash, and two slashes at the start of a segment are another path', async () => {
  for (const [path, status] of [
    ['/credentials', 405],
    ['/credentials/', 405],
    ['//api/v1//credentials', 404],
  ] as const)
    expect([path, (await app.request('PATCH', path)).status]).toEqual([path, status]);
});
