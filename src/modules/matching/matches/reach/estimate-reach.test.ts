import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { fillSlots, insertMembers } from '#test/modules/matching.ts';

const app = await startApp();
const { token } = await app.registerOrgAdmin();
// Of New Zealand, with three years of experience and a masters degree.
await insertMembers(
  app,
  Array.from({ length: 70 }, () => ({ mean: fillSlots(0), variance: fillSlots(0.2) })),
);

const estimate = async (body: object) =>
  (await app.request('POST', '/orgs/me/jobs/reach', { token, body })).body;

test('people are counted in the background, at most every ten minutes, and the reply is a band', async () => {
  expect(await estimate({})).toEqual({ at_least: null, less_than: null, counted_at: null });
  await app.drainQueue();
  const band = await estimate({});
  expect(band).toMatchObject({ at_least: 50, less_than: 100 });
  await insertMembers(
    app,
    Array.from({ length: 700 }, () => ({ mean: fillSlots(0), variance: fillSlots(0.2) })),
  );
  await app.drainQueue();
  expect(await estimate({})).toEqual(band);
  app.clock.advance(11 * 60_000);
  expect(await estimate({})).toEqual(band);
  await app.drainQueue();
  expect((await estimate({})).at_least).toBeGreaterThanOrEqual(500);
});

test('conditions narrow the band, and fewer than twenty people are one band', async () => {
  await estimate({});
  await app.drainQueue();
  const [all, home, away] = await Promise.all([
    estimate({ constraints: { years_experience_min: 3, education_level_min: 'masters' } }),
    estimate({ constraints: { location_countries: ['NZ', 'AU'] } }),
    estimate({ constraints: { location_countries: ['AU'] } }),
  ]);
  expect(all.at_least).toBeGreaterThan(0);
  expect(home.at_least).toBeGreaterThan(0);
  for (const body of [
    { constraints: { years_experience_min: 4 } },
    { constraints: { education_level_min: 'doctorate' } },
    { constraints: { location_countries: ['NZ'], location_states: ['AUK'] } },
    { clearance_required: 'baseline' },
  ])
    expect(await estimate(body)).toEqual(away);
  expect(away).toMatchObject({ at_least: 0, less_than: 20 });
  const turned = await estimate({ constraints: { location_countries: ['AU', 'NZ'] } });
  expect(turned).toEqual(home);
});

test('only an administrator of a verified organisation asks, and wrong conditions are refused by name', async () => {
  const body = { constraints: { location_states: ['NSW'] } };
  const wrong = await app.request('POST', '/orgs/me/jobs/reach', { token, body });
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/constraints/location_states']);
  const unverified = await app.registerOrgAdmin({ is_verified: false });
  const refused = await app.request('POST', '/orgs/me/jobs/reach', { token: unverified.token, body: {} });
  expect(refused.body.code).toBe('email_not_verified');
  const viewer = await createColleague(app, unverified.org_id, 'org_viewer');
  const closed = await app.request('POST', '/orgs/me/jobs/reach', { token: viewer.token, body: {} });
  expect([closed.status, closed.body.code]).toEqual([403, 'role_not_allowed']);
});
