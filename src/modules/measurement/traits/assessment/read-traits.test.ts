import { expect, test } from 'vitest';
import {
  answerAllItems,
  answerFirstStage,
  endCoolingOff,
  registerMeasurableMember,
} from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { continuousTraits } from '../taxonomy.ts';

const app = await startApp();

test('the vector has all twenty traits, with bounds around each score', async () => {
  proves(
    'trait-vector-fields',
    'trait-vector-trait-item-fields',
    'trait-vector-categorical-item-fields',
    'trait-vector-distribution-item-fields',
    'trait-get-endpoint-jwt',
  );
  const { token, member_id } = await registerMeasurableMember(app);
  await answerAllItems(app, token);
  const { status, body } = await app.request('GET', '/members/me/traits', { token });
  expect(status).toBe(200);
  expect(body).toMatchObject({ member_id, last_updated: app.clock.now().toISOString() });
  expect(body.traits.map((trait: { trait_name: string }) => trait.trait_name)).toEqual([...continuousTraits]);
  for (const { score, confidence, lower_bound, upper_bound } of body.traits) {
    expect(lower_bound).toBeLessThan(score);
    expect(upper_bound).toBeGreaterThan(score);
    expect(confidence).toBeGreaterThan(0);
  }
  for (const { primary, distribution } of body.categorical_traits) {
    const [mostLikely] = distribution.toSorted(
      (one: { probability: number }, other: { probability: number }) => other.probability - one.probability,
    );
    expect(mostLikely.value).toBe(primary);
    expect(
      distribution.reduce((sum: number, part: { probability: number }) => sum + part.probability, 0),
    ).toBeCloseTo(1);
  }
});

test('returns the latest version by default, and an older one on request', async () => {
  proves('trait-get-version-query-integer');
  const { token, member_id } = await registerMeasurableMember(app);
  await answerAllItems(app, token, () => 4);
  const first = await app.request('GET', '/members/me/traits', { token });
  app.clock.advance(3_600_000);
  await endCoolingOff(app, member_id);
  await app.request('POST', '/members/me/assessment', { token, body: { restart: true } });
  await answerAllItems(app, token);
  const latest = await app.request('GET', '/members/me/traits', { token });
  expect(latest.body.traits).not.toEqual(first.body.traits);
  for (const body of [first.body, latest.body])
    expect((await app.request('GET', `/members/me/traits?version=${body.version}`, { token })).body).toEqual(
      body,
    );
});

test('returns 404 before the first measurement and for a version that does not exist', async () => {
  const { token } = await registerMeasurableMember(app);
  for (const query of ['', '?version=300']) {
    const { status, body } = await app.request('GET', `/members/me/traits${query}`, { token });
    expect([status, body.code]).toEqual([404, 'trait_vector_not_found']);
  }
  await answerFirstStage(app, token);
  expect((await app.request('GET', '/members/me/traits?version=3', { token })).status).toBe(404);
});

test.each(['0', '-1', 'one', '1.5', '9999999'])(
  'rejects the version %s and names the field',
  async (version) => {
    const { token } = await app.registerMember();
    const { status, body } = await app.request('GET', `/members/me/traits?version=${version}`, { token });
    expect([status, body.errors[0].pointer]).toEqual([422, '/version']);
  },
);

test('rejects callers who are not members', async () => {
  expect((await app.request('GET', '/members/me/traits')).status).toBe(401);
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('GET', '/members/me/traits', { token })).status).toBe(403);
});
