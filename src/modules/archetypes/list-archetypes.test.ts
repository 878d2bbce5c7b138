import { beforeAll, expect, test } from 'vitest';
import { archetypeCodes } from './templates.ts';
import { startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

test('anybody can read the twelve archetypes and what stands high and low in each', async () => {
  const { status, body } = await app.request('GET', '/taxonomy/archetypes');
  expect(status).toBe(200);
  expect(body.version).toBe('archetypes-1');
  expect(body.families).toHaveLength(4);
  expect(body.archetypes.map(({ archetype }: { archetype: string }) => archetype)).toEqual([
    ...archetypeCodes,
  ]);
  expect(body.archetypes[9]).toEqual({
    archetype: 'keel',
    name: 'Keel',
    archetype_family: 'stewardship',
    description: 'Stays level when the demands are heaviest, and steadies those around.',
    high: ['pressure_response', 'recovery_resilience'],
    low: ['exploratory_curiosity', 'empathic_attunement'],
  });
});

test('a query that it does not know is refused', async () => {
  const { status, body } = await app.request('GET', '/taxonomy/archetypes?family=craft');
  expect([status, body.errors[0].pointer]).toEqual([422, '/family']);
});
