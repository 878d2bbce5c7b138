import { expect, test } from 'vitest';
import { startApp } from '../harness.ts';
import { compareNodes, public_url } from './compare-nodes.ts';
import { describeUpgrade, hasPassed, type Upgrade } from './roll-upgrade.ts';

/** What `node test/operating/rolling-upgrade.ts` finds if all is well. */
const upgrade: Upgrade = {
  steps: [{ name: 'the first goes back', longest_ms: 1_240 }],
  migrations: ['0002_more.sql'],
  statuses: new Map([
    ['201', 40],
    ['503', 2],
  ]),
  acknowledged: 40,
  lost: 0,
  differences: [],
};

test('an upgrade passes with nothing failed, lost or misunderstood, and only if there was something to migrate', () => {
  expect(hasPassed(upgrade)).toBe(true);
  const failed: readonly Partial<Upgrade>[] = [
    { lost: 1 },
    { differences: ['a token got 401 instead of 200'] },
    { statuses: new Map([['500', 1]]) },
    { statuses: new Map([['none', 1]]) },
    { migrations: [] },
    { acknowledged: 0 },
  ];
  for (const change of failed)
    expect([change, hasPassed({ ...upgrade, ...change })]).toEqual([change, false]);
  expect(describeUpgrade(upgrade)).toContain('| the first goes back | 1.2 s |');
});

test('tokens, lists, forms, sessions and files of one node are valid on another, and the comparison says if one is not', async () => {
  const listen = async () => {
    const app = await startApp({ TESSERA_PUBLIC_URL: public_url });
    return app.server.listen({ host: '127.0.0.1', port: 0 });
  };
  const [one, stranger] = [await listen(), await listen()];
  expect(await compareNodes(one, one)).toEqual([]);
  const faults = await compareNodes(one, stranger);
  expect(faults).toContain('a token got 401 instead of 200');
  expect(faults).toContain('a session got 303 instead of 200');
});
