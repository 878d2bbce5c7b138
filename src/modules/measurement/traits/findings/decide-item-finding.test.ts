import { beforeEach, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { answerAllItems, registerMeasurableMember } from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import { clearFindings, insertFinding } from '#test/modules/findings.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { itemBank } from '../items/item-bank.ts';

const built_in = itemBank.parameter_version;
const unknown = '3d1e6f0a-1c2b-4d3e-8f4a-5b6c7d8e9f00';

const app = await startApp();
const operator = await app.registerPlatformAdmin();
const { token } = operator;
const member = await registerMeasurableMember(app);
await answerAllItems(app, member.token);

const decide = (id: string, body: object) =>
  app.request('POST', `/operator/item-findings/${id}/decide`, { token, body });
const withdrawDecision = (id: string) =>
  app.request('POST', `/operator/item-findings/${id}/undo`, { token, body: {} });
const readCalibrations = async () => (await app.request('GET', '/operator/calibrations', { token })).body;

/** The member's results as they are listed, without their number and time. */
async function readTraits() {
  await app.drainQueue();
  const { body } = await app.request('GET', '/members/me/traits', { token: member.token });
  return { overall: body.overall_confidence, traits: body.traits, categorical: body.categorical_traits };
}

/** Lists two statements of one trait that the member has answered. */
async function listAnswered(trait: string): Promise<readonly [string, string]> {
  const { item_ids } = await app.sql.one(sql<{ item_ids: string[] }>`
    select to_json(item_ids) as item_ids from assessments where member_id = ${member.member_id}`);
  const [one, other] = item_ids.filter((id) => id.startsWith(trait)).toSorted();
  return [one!, other!];
}

beforeEach(() => clearFindings(app));

test.each([
  { kind: 'weak', decision: 'less_weight' },
  { kind: 'misfit', decision: 'retire' },
  { kind: 'differs', decision: 'retire' },
  { kind: 'drifted', decision: 'less_weight' },
  { kind: 'dependent', decision: 'enemies' },
  { kind: 'dependent', decision: 'less_weight' },
  { kind: 'dependent', decision: 'retire' },
] as const)(
  '$decision because of $kind changes results, and undoing it restores them exactly',
  async ({ kind, decision }) => {
    const [one, other] = await listAnswered('persistence');
    const isPair = kind === 'dependent';
    const id = await insertFinding(app, { kind, item_ids: isPair ? [one, other] : [one], size: 0.6 });
    const before = await readTraits();
    const retires_one = isPair && decision === 'retire';
    const decided = await decide(id, { decision, ...(retires_one && { item_id: other }) });
    expect([decided.status, decided.body]).toMatchObject([
      200,
      {
        before: built_in,
        finding: { state: 'accepted', decision, choices: [], retired_item: retires_one ? other : null },
      },
    ]);
    const { in_use } = decided.body;
    expect(in_use.slice(0, built_in.length + 1)).toBe(`${built_in}.`);
    const after = await readTraits();
    const getTrait = ({ traits }: typeof before, name: string) =>
      traits.find(({ trait_name }: { trait_name: string }) => trait_name === name);
    // Usually less certain, but a statement whose parameters may be wrong takes some of its own uncertainty with it.
    expect(getTrait(after, 'persistence').confidence).not.toBe(getTrait(before, 'persistence').confidence);
    expect(await readCalibrations()).toMatchObject({ in_use, listed: in_use });
    const undone = await withdrawDecision(id);
    expect(undone.body).toMatchObject({
      in_use: built_in,
      before: in_use,
      finding: { state: 'open', decision: null },
    });
    expect(await readTraits()).toEqual(before);
  },
);

test('dismissing changes nothing but the state, and can be undone', async () => {
  const id = await insertFinding(app);
  expect((await decide(id, { decision: 'dismiss' })).body).toMatchObject({
    in_use: built_in,
    before: built_in,
    finding: { state: 'dismissed' },
  });
  expect((await withdrawDecision(id)).body.finding.state).toBe('open');
});

test('decisions add up in any order, apply to every version, and each can be undone alone', async () => {
  const first = await insertFinding(app, { item_ids: ['discretion_01'] });
  const second = await insertFinding(app, { item_ids: ['discretion_02'] });
  const one = (await decide(first, { decision: 'retire' })).body.in_use;
  const both = (await decide(second, { decision: 'less_weight' })).body.in_use;
  const other = (await withdrawDecision(first)).body.in_use;
  expect(new Set([built_in, one, both, other]).size).toBe(4);
  expect((await decide(first, { decision: 'retire' })).body.in_use).toBe(both);
  const useVersion = (version: string) =>
    app.request('POST', `/operator/calibrations/${version}/activate`, { token, body: {} });
  expect((await useVersion('mvp20-1.judged')).body.in_use).toMatch(/^mvp20-1\.judged\.[0-9a-f]{12}$/);
  expect((await useVersion(built_in)).body.in_use).toBe(both);
  const { versions } = await readCalibrations();
  expect(versions).toContainEqual(expect.objectContaining({ version: both, base_version: built_in }));
  await withdrawDecision(first);
  expect((await withdrawDecision(second)).body.in_use).toBe(built_in);
});

test('a new assessment asks no retired statement and no two enemies', async () => {
  const enemies = ['sincerity_01', 'sincerity_02', 'sincerity_03', 'sincerity_04'];
  for (const [place, one] of enemies.entries())
    for (const other of enemies.slice(place + 1)) {
      const id = await insertFinding(app, { kind: 'dependent', item_ids: [one, other] });
      await decide(id, { decision: 'enemies' });
    }
  for (const item of ['discretion_01', 'discretion_02', 'discretion_03'])
    await decide(await insertFinding(app, { item_ids: [item] }), { decision: 'retire' });
  const another = await registerMeasurableMember(app);
  await answerAllItems(app, another.token);
  const { item_ids } = await app.sql.one(sql<{ item_ids: string[] }>`
    select to_json(item_ids) as item_ids from assessments where member_id = ${another.member_id}`);
  expect(item_ids.filter((id) => enemies.includes(id)).length).toBeLessThan(2);
  expect(item_ids.filter((id) => /^discretion_0[123]$/.test(id))).toEqual([]);
});

test('a decision is in the audit log with who took it', async () => {
  const id = await insertFinding(app, { kind: 'dependent', item_ids: ['discretion_04', 'discretion_05'] });
  const { in_use } = (await decide(id, { decision: 'retire', item_id: 'discretion_05' })).body;
  await withdrawDecision(id);
  const [act] = (await listActs(app, 'items.finding_decided', operator.user_id)).slice(-1);
  expect(act).toMatchObject({
    actor_role: 'platform_admin',
    detail: { finding_id: id, choice: 'retire', statements: 'discretion_05', version: in_use },
  });
  const [undone] = (await listActs(app, 'items.decision_undone', operator.user_id)).slice(-1);
  expect(undone).toMatchObject({ detail: { finding_id: id } });
});

test('an unknown finding, a second decision, a decision that it does not offer, and other callers are refused', async () => {
  expect((await decide(unknown, { decision: 'retire' })).body.code).toBe('finding_not_found');
  const single = await insertFinding(app);
  const pair = await insertFinding(app, { kind: 'dependent', item_ids: ['sincerity_01', 'sincerity_02'] });
  for (const [id, body, pointer] of [
    [single, { decision: 'enemies' }, '/decision'],
    [single, { decision: 'by_group' }, '/decision'],
    [single, { decision: 'retire', item_id: 'sincerity_03' }, '/item_id'],
    [pair, { decision: 'retire' }, '/item_id'],
    [pair, { decision: 'retire', item_id: 'sincerity_03' }, '/item_id'],
  ] as const) {
    const { status, body: refused } = await decide(id, body);
    expect([status, refused.errors[0].pointer]).toEqual([422, pointer]);
  }
  expect((await decide('x', { decision: 'retire' })).body.errors[0].pointer).toBe('/finding_id');
  await decide(single, { decision: 'dismiss' });
  expect((await decide(single, { decision: 'retire' })).body.code).toBe('finding_decided');
  await expectOperatorOnly(app, 'POST', `/operator/item-findings/${pair}/decide`, { decision: 'enemies' });
});
