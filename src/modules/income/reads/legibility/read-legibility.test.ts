import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const readLegibility = async (token: string) =>
  (await app.request('GET', '/members/me/legibility', { token })).body;

test('a new member has the lowest multiplier, and learns what would raise it', async () => {
  const { token } = await app.registerMember();
  expect(await readLegibility(token)).toEqual({
    score: 0,
    completeness: 0,
    confidence: 0,
    queryability: 0,
    earning_multiplier: 0.5,
    next_steps: [
      {
        code: 'complete_assessment',
        description: expect.any(String),
        score_after: 0.612,
        multiplier_after: 1.5,
      },
      { code: 'fill_profile', description: expect.any(String), score_after: 0.088, multiplier_after: 0.75 },
    ],
  });
});

test('measurement, consent and approvals raise it as the steps say, and a withdrawal lowers it again', async () => {
  proves('legibility-get-endpoint-jwt', 'open-legibility-response-field-names');
  const { token } = await app.registerDeployedMember({ variance: Array(20).fill(0.16) });
  const measured = await readLegibility(token);
  expect(measured).toMatchObject({
    completeness: 1,
    confidence: 1,
    queryability: 0,
    score: 0.7,
    earning_multiplier: 1.5,
  });
  expect(measured.next_steps).toMatchObject([
    { code: 'consent_to_queries', score_after: 1, multiplier_after: 2 },
  ]);
  const decideConsent = (granted: boolean) =>
    app.request('POST', '/members/me/consent', {
      token,
      body: { consent_type: 'identity_queries', granted, version: '1.0' },
    });
  await decideConsent(true);
  const [step] = (await readLegibility(token)).next_steps;
  expect(step.code).toBe('approve_archetype');
  await app.request('PUT', '/orgs/queries/consent/category', {
    token,
    body: { category: 'archetype', approved: true },
  });
  const approved = await readLegibility(token);
  expect(approved).toMatchObject({
    queryability: 0.25,
    score: step.score_after,
    earning_multiplier: step.multiplier_after,
  });
  await decideConsent(false);
  expect((await readLegibility(token)).queryability).toBe(0);
});

test('is the member’s own', async () => {
  expect((await app.request('GET', '/members/me/legibility')).status).toBe(401);
  const { token } = await app.registerOrgAdmin();
  expect((await readLegibility(token)).code).toBe('role_not_allowed');
});
