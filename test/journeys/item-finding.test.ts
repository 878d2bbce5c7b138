import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { answerAllItems, registerMeasurableMember } from '../assessment.ts';
import { startApp } from '../harness.ts';
import { insertFinding } from '../modules/findings.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import { password, type TestMember } from '../users.ts';
import { createVisitor, readText, type Visitor } from '../web/visitor.ts';

const at = '/app/operator/findings';

const app = await startApp();

/** The steps run in order, and each one depends on those before. */
describe('from a finding about a statement to a decision and back', () => {
  let operator: Visitor;
  let member: TestMember;
  let item: (typeof itemBank.graded)[number];
  let before: unknown;
  beforeAll(async () => {
    const { email } = await app.registerPlatformAdmin();
    operator = createVisitor(app);
    await operator.send(await operator.open('/sign-in'), 'send', { email, password });
  });

  const listAsked = async ({ member_id }: TestMember): Promise<readonly string[]> =>
    (
      await app.sql.one(sql<{ item_ids: string[] }>`
        select to_json(item_ids) as item_ids from assessments where member_id = ${member_id}`)
    ).item_ids;

  async function readTraits(): Promise<unknown> {
    await app.drainQueue();
    const { body } = await app.request('GET', '/members/me/traits', { token: member.token });
    return { traits: body.traits, overall: body.overall_confidence };
  }

  it('a member answers a statement, which an examination finds to be weak', async () => {
    member = await registerMeasurableMember(app);
    await answerAllItems(app, member.token);
    const asked = await listAsked(member);
    item = itemBank.graded.find(({ id, trait }) => trait === 'persistence' && asked.includes(id))!;
    before = await readTraits();
    await insertFinding(app, { kind: 'weak', item_ids: [item.id], size: 0.41 });
    expect(await readTraits()).toEqual(before);
  });

  it('the operator reads what was found, and what each choice would do', async () => {
    const text = readText(await operator.open(at));
    expect(text).toContain(item.text);
    expect(text).toContain('Its discrimination is 0.41; below 0.60 an answer says little.');
    expect(text).toContain('It is not asked, and answers to it count nothing.');
    expect(text).toContain('An answer to it counts half.');
  });

  it('the operator retires the statement: its answers count nothing, and nobody is asked it', async () => {
    const decided = await operator.send(await operator.open(at), 'decide', { decision: 'retire' });
    expect(decided.address).toBe(`${at}?notice=findingDecided`);
    expect(readText(decided)).toContain('Nothing is waiting for a decision.');
    expect(await readTraits()).not.toEqual(before);
    // Seven of twelve statements of a trait can be asked, so that several members are needed.
    for (let count = 0; count < 4; count++) {
      const other = await registerMeasurableMember(app);
      await answerAllItems(app, other.token);
      expect(await listAsked(other)).not.toContain(item.id);
    }
  });

  it('the operator undoes the decision: the results are those of before, and the finding is open again', async () => {
    const undone = await operator.send(await operator.open(`${at}?state=accepted`), 'undo');
    expect(undone.address).toBe(`${at}?notice=decisionUndone`);
    expect(readText(undone)).toContain(item.text);
    expect(await readTraits()).toEqual(before);
    expect(readText(await operator.open(`${at}?state=accepted`))).toContain('No decision is in force.');
  });
});
