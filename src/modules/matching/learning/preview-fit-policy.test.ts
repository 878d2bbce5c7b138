import { expect, test } from 'vitest';
import { findPolicy } from '#modules/matching/matches';
import { traitCodes } from '#modules/measurement/traits';
import { startApp } from '#test/harness.ts';
import { insertPlacements, learnedPriorities } from '#test/modules/learning.ts';
import { createJob, runTask } from '#test/modules/matching.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import { learnFromOutcomes } from './learn.ts';

type Step = { readonly trait: string; readonly candidate: number };

const app = await startApp();
await insertPlacements(app, { organisations: 12, jobs: 4, matches: 9, seed: 1 });
await runTask(app, learnFromOutcomes, {});
const { token } = await app.registerPlatformAdmin();

test('a preview says which multipliers and how many lists would change, within the bounds of a step', async () => {
  const { token: admin } = await app.registerOrgAdmin();
  await createJob(app, admin, learnedPriorities);
  const { status, body } = await app.request('GET', '/operator/policies/2/preview', { token });
  expect([status, body.live, body.version, body.families]).toEqual([200, 1, 2, []]);
  const candidate = await findPolicy(app.sql, 2);
  const named = new Map(body.multipliers.map((each: Step) => [each.trait, each.candidate]));
  // A trait that is not named keeps its multiplier.
  expect(traitCodes.map((code) => named.get(code) ?? 1)).toEqual(candidate!.multipliers['all']);
  for (const each of body.multipliers)
    expect(Math.abs(each.candidate - each.live)).toBeLessThanOrEqual(0.08 + 1e-9);
  const { jobs, lists, kept, better, worse } = body.tiers;
  expect(kept + better + worse).toBe(jobs * body.members);
  expect(body.members).toBe(200);
  // A list changes exactly if a tier in it moves.
  expect(lists > 0).toBe(better + worse > 0);
  expect(better + worse).toBeGreaterThan(0);
});

test('a version that is unknown or cannot follow, and other callers, are refused', async () => {
  const send = async (version: string) => {
    const { status, body } = await app.request('GET', `/operator/policies/${version}/preview`, { token });
    return [status, body.code];
  };
  expect([await send('99'), await send('99999'), await send('1'), await send('0')]).toEqual([
    [404, 'policy_not_found'],
    [404, 'policy_not_found'],
    [409, 'policy_not_next'],
    [422, 'field_invalid'],
  ]);
  await expectOperatorOnly(app, 'GET', '/operator/policies/2/preview');
});
