import { expect, test } from 'vitest';
import { traitCodes, traitNames } from '../taxonomy.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

test('returns the twenty traits of MVP-20 in slot order, without a login', async () => {
  const { status, body } = await app.request('GET', '/taxonomy/traits');
  expect(status).toBe(200);
  expect(body.traits.map((trait: { trait_name: string }) => trait.trait_name)).toEqual([...traitCodes]);
  expect(new Set(traitCodes).size).toBe(20);
});

test('includes the four trait names that the specification mentions', async () => {
  proves('trait-names-seen');
  const { body } = await app.request('GET', '/taxonomy/traits');
  const names = body.traits.map((trait: { trait_name: string }) => trait.trait_name);
  for (const name of [
    'pressure_response',
    'ambiguity_tolerance',
    'collaborative_orientation',
    'conflict_style',
  ])
    expect(names).toContain(name);
});

test('gives every trait the plain name that pages and explanations use', async () => {
  const { body } = await app.request('GET', '/taxonomy/traits');
  const named = body.traits.map((trait: { trait_name: string; name: string }) => [
    trait.trait_name,
    trait.name,
  ]);
  expect(named).toEqual(Object.entries(traitNames));
  expect(new Set(Object.values(traitNames)).size).toBe(20);
  for (const name of Object.values(traitNames)) expect(name).toMatch(/^[A-Z][a-z -]+$/);
});

test('rejects an unknown query parameter', async () => {
  expect((await app.request('GET', '/taxonomy/traits?family=x')).body.errors[0].pointer).toBe('/family');
});
