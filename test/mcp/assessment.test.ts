import { expect, test } from 'vitest';
import { endCoolingOff, registerMeasurableMember } from '../assessment.ts';
import { callTool, readProblem, startAgentApp } from './agents.ts';

const app = await startAgentApp();

/** Connects an agent that may take the assessment with its person. */
async function connectAssessor() {
  const member = await registerMeasurableMember(app);
  const token = await app.connectAgent(member, { tools: ['next_assessment_item', 'answer_assessment_item'] });
  const call = async (tool: string, given: Readonly<Record<string, unknown>> = {}) => {
    const { body } = await callTool(app, tool, given, { token });
    return body.result;
  };
  return { ...member, call };
}

/** Answers every question that it is given, as a model that follows `next_item` would. @returns the last reply. */
async function followItems({ call }: Awaited<ReturnType<typeof connectAssessor>>) {
  let state = (await call('next_assessment_item')).structuredContent;
  while (state.next_item !== null) {
    const answer = { item_id: state.next_item.item_id, option: state.progress.answered % 2 };
    state = (await call('answer_assessment_item', answer)).structuredContent;
  }
  return state;
}

test('an agent that follows next_item ends after the first stage, and goes on only with deepen', async () => {
  const assessor = await connectAssessor();
  const ended = await followItems(assessor);
  expect(ended).toMatchObject({ stage: 'deepening', progress: { answered: 50, percent: 100 } });
  expect((await assessor.call('next_assessment_item')).structuredContent).toEqual(ended);
  const opened = await assessor.call('next_assessment_item', { deepen: true });
  expect(opened.structuredContent).toMatchObject({ progress: { answered: 50 }, deepening: null });
  expect(opened.structuredContent.next_item).not.toBeNull();
});

test('an agent may repeat a flagged assessment no earlier than its person, and learns the date', async () => {
  const assessor = await connectAssessor();
  const { retake } = await followItems(assessor);
  expect(retake.advice).not.toBeNull();
  const restart = () => assessor.call('next_assessment_item', { restart: true });
  expect(readProblem({ body: { result: await restart() } })).toMatchObject({
    code: 'assessment_cooling_off',
    message: expect.stringContaining(retake.available_at),
    retry_after_seconds: 86_400,
  });
  await endCoolingOff(app, assessor.member_id, 1);
  expect((await restart()).structuredContent).toMatchObject({ progress: { answered: 0 } });
});
