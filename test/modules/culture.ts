import { createColleague } from '#test/colleague.ts';
import type { TestApp } from '#test/harness.ts';
import {
  bravingItems,
  cvfBlocks,
  cvfQuadrants,
  type CvfQuadrant,
} from '../../src/modules/organisations/culture/questionnaire.ts';
import type { Answers } from '../../src/modules/organisations/culture/score.ts';

/** Builds complete answers: the same agreement, 0 to 4, with every statement for trust, and this order of quadrants in every block. */
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

/** Creates an organisation with an administrator and four other users. */
export async function createStaff(app: TestApp) {
  const admin = await app.registerOrgAdmin();
  const { org_id } = admin;
  const others = await Promise.all(
    (['org_viewer', 'org_viewer', 'auditor', 'auditor'] as const).map((role) =>
      createColleague(app, org_id, role),
    ),
  );
  return { org_id, admin, users: [admin, ...others] };
}

/** Submits answers. @throws Error unless they are accepted. */
export async function submitAnswers(app: TestApp, token: string, answers: Answers) {
  const response = await app.request('POST', '/orgs/me/culture-profile/responses', {
    token,
    body: { answers },
  });
  if (response.status !== 201)
    throw new Error(`submitting answers gave status ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body as {
    readonly questionnaire_version: string;
    readonly answered_at: string;
    readonly profile_version: number | null;
    readonly respondents_missing: number;
  };
}
