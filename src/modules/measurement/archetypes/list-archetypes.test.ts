import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { archetypeCodes } from './templates.ts';

const app = await startApp();

test('returns the twelve archetypes with their high and low traits, without a login', async () => {
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
    description: 'Stays level when demands are highest, and steadies others.',
    high: ['pressure_response', 'recovery_resilience'],
    low: ['exploratory_curiosity', 'empathic_attunement'],
  });
});

test('rejects an unknown query parameter and names it', async () => {
  const { status, body } = await app.request('GET', '/taxonomy/archetypes?family=craft');
  expect([status, body.errors[0].pointer]).toEqual([422, '/family']);
});
