import { createColleague } from '#test/colleague.ts';
import type { TestApp } from '#test/harness.ts';
import {
  bravingItems,
  cvfBlocks,
  cvfQuadrants,
  type CvfQuadrant,
} from '../../src/modules/culture/questionnaire.ts';
import type { Answers } from '../../src/modules/culture/score.ts';

/** Complete answers of somebody who agrees so much with all that speaks for trust, and prefers the quadrants in this order. */
export function buildAnswers(agreement: number, order: readonly CvfQuadrant[] = cvfQuadrants): Answers {
  return {
    braving: Object.fromEntries(
      bravingItems.map(({ item_id, reversed }) => [item_id, reversed ? 4 - agreement : agreement]),
    ),
    cvf: Object.fromEntries(
      cvfBlocks.map(({ block_id, statements }) => [
        block_id,
        order.map((quadrant) => statements.find((each) => each.quadrant === quadrant)!.statement_id),
      ]),
    ),
  };
}

/** An organisation with its administrator and four colleagues. */
export async function createStaff(app: TestApp) {
  const admin = await app.registerOrgAdmin();
  const { org_id } = admin;
  const others = await Promise.all(
    (['org_viewer', 'org_viewer', 'auditor', 'auditor'] as const).map((role) =>
      createColleague(app, org_id, role),
    ),
  );
  return { org_id, admin, people: [admin, ...others] };
}

/** Sends answers and expects them to be taken. */
export async function submitAnswers(app: TestApp, token: string, answers: Answers) {
  const answer = await app.request('POST', '/orgs/me/culture-profile/responses', {
    token,
    body: { answers },
  });
  if (answer.status !== 201)
    throw new Error(`the answers were answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as {
    readonly questionnaire_version: string;
    readonly answered_at: string;
    readonly profile_version: number | null;
    readonly respondents_missing: number;
  };
}
