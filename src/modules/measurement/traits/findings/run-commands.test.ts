import { beforeEach, expect, test } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { startApp } from '#test/harness.ts';
import { clearFindings, insertFinding } from '#test/modules/findings.ts';
import { listActs } from '#test/modules/operator.ts';
import { itemBank } from '../items/item-bank.ts';
import { findingCommands } from './run-commands.ts';

const built_in = itemBank.parameter_version;
const unknown = '3d1e6f0a-1c2b-4d3e-8f4a-5b6c7d8e9f00';

const app = await startApp();
const { listFindings, formatFindings, decideFinding, undoDecision, formatChange } = findingCommands;
const decide = async (input: Readonly<Record<string, string>>) => decideFinding(app.platform, input);
const takeDecisionBack = async (finding: string) => undoDecision(app.platform, { finding });

beforeEach(() => clearFindings(app));

test('items findings prints a line for each finding, with what can be decided or was decided', async () => {
  const weak = await insertFinding(app);
  app.clock.advance(1_000);
  const item_ids = ['sincerity_01', 'sincerity_02'];
  const pair = await insertFinding(app, { kind: 'dependent', item_ids, size: 0.31 });
  app.clock.advance(1_000);
  const differing = { kind: 'differs', subject: 'women', compared_with: 'men', size: 0.5 } as const;
  const differs = await insertFinding(app, differing);
  await decide({ finding: weak, decision: 'dismiss' });
  const report = formatFindings(await listFindings(app.platform));
  expect(Object.keys(report)).toEqual([differs, pair, weak]);
  expect(report).toEqual({
    [differs]:
      'differs sincerity_03, women against men, size 0.50, answered by 400 of 800, open: less_weight, retire, dismiss',
    [pair]:
      'dependent sincerity_01 and sincerity_02, size 0.31, answered by 400 of 800, open: enemies, less_weight, retire, dismiss',
    [weak]: 'weak sincerity_03, size 0.40, answered by 400 of 800, decided: dismiss',
  });
});

test('items decide changes the version in use, and items undo leads back to the one before', async () => {
  const finding = await insertFinding(app);
  const decided = await decide({ finding, decision: 'retire' });
  expect(decided.before).toBe(built_in);
  expect(decided.in_use).toMatch(new RegExp(`^${built_in}\\.[0-9a-f]{12}$`));
  expect(formatChange(decided)).toEqual({
    [finding]: 'weak sincerity_03, size 0.40, answered by 400 of 800, decided: retire',
    in_use: decided.in_use,
    before: built_in,
  });
  const undone = await takeDecisionBack(finding);
  expect([undone.in_use, undone.before]).toEqual([built_in, decided.in_use]);
  expect(formatChange(undone)[finding]).toContain('open: less_weight, retire, dismiss');
});

test('items decide retires the named statement of a dependent pair', async () => {
  const item_ids = ['sincerity_01', 'sincerity_02'];
  const finding = await insertFinding(app, { kind: 'dependent', item_ids });
  await expect(decide({ finding, decision: 'retire' })).rejects.toMatchObject({ code: 'field_invalid' });
  const decided = await decide({ finding, decision: 'retire', statement: 'sincerity_02' });
  expect(decided.finding).toMatchObject({ decision: 'retire', retired_item: 'sincerity_02' });
  await takeDecisionBack(finding);
});

test('the audit log says that the command line decided', async () => {
  const finding = await insertFinding(app);
  await decide({ finding, decision: 'dismiss' });
  const [act] = (await listActs(app, 'items.finding_decided')).slice(-1);
  expect(act).toMatchObject({ actor_user_id: null, detail: { finding_id: finding, choice: 'dismiss' } });
});

test('both commands refuse an unknown decision, what is no id, and a finding that is unknown or in the wrong state', async () => {
  const finding = await insertFinding(app);
  await expect(decide({ finding, decision: 'by_group' })).rejects.toThrow(OperatorError);
  await expect(decide({ finding: 'x', decision: 'dismiss' })).rejects.toThrow(OperatorError);
  await expect(takeDecisionBack('x')).rejects.toThrow(OperatorError);
  await expect(decide({ finding, decision: 'enemies' })).rejects.toMatchObject({ code: 'field_invalid' });
  await expect(decide({ finding: unknown, decision: 'dismiss' })).rejects.toMatchObject({
    code: 'finding_not_found',
  });
  await expect(takeDecisionBack(unknown)).rejects.toMatchObject({
    code: 'finding_not_found',
  });
  await expect(takeDecisionBack(finding)).rejects.toMatchObject({ code: 'finding_undecided' });
  await decide({ finding, decision: 'dismiss' });
  await expect(decide({ finding, decision: 'retire' })).rejects.toMatchObject({ code: 'finding_decided' });
});
