import { Type, type Static, type TSchema } from 'typebox';
import { closedObject, nullable, timestamp } from '#platform/schema.ts';
import {
  agreementSteps,
  bravingDimensions,
  bravingItems,
  cvfBlocks,
  cvfQuadrants,
  questionnaireVersion,
  statementIds,
} from './questionnaire.ts';
import { minimum_respondents, countMissingRespondents } from './rules.ts';
import type { Answers, Scores } from './score.ts';

const respondents_missing = Type.Integer({
  minimum: 0,
  maximum: minimum_respondents,
  description: 'How many more users must answer before the next version of the profile.',
});

/** The questionnaire, when the caller answered it, and how many respondents are missing. */
export const questionnaireWire = closedObject(
  {
    version: Type.String(),
    scale: Type.Array(Type.String(), { description: 'The steps of agreement; option 0 is the first.' }),
    braving: Type.Array(closedObject({ item_id: Type.String(), text: Type.String() })),
    cvf: Type.Array(
      closedObject({
        block_id: Type.String(),
        text: Type.String(),
        statements: Type.Array(closedObject({ statement_id: Type.Enum(statementIds), text: Type.String() })),
      }),
    ),
    minimum_respondents: Type.Integer(),
    respondents_missing,
    answered_at: nullable(timestamp),
  },
  { $id: 'CultureQuestionnaire' },
);

export function toQuestionnaireWire(
  unpublished: number,
  answered_at: Date | undefined,
): Static<typeof questionnaireWire> {
  return {
    version: questionnaireVersion,
    scale: [...agreementSteps],
    braving: bravingItems.map(({ item_id, text }) => ({ item_id, text })),
    cvf: cvfBlocks.map(({ block_id, text, statements }) => ({
      block_id,
      text,
      // The quadrant of a statement is left out, because it would bias the respondent.
      statements: statements.map(({ statement_id, text }) => ({ statement_id, text })),
    })),
    minimum_respondents,
    respondents_missing: countMissingRespondents(unpublished),
    answered_at: answered_at?.toISOString() ?? null,
  };
}

/** Complete answers: every item and every block, each by its id. */
export const answersInput = Type.Unsafe<Answers>(
  closedObject({
    braving: buildCompleteSchema(
      bravingItems.map(({ item_id }) => item_id),
      Type.Integer({ minimum: 0, maximum: agreementSteps.length - 1 }),
    ),
    cvf: buildCompleteSchema(
      cvfBlocks.map(({ block_id }) => block_id),
      Type.Array(Type.Enum(statementIds), {
        minItems: statementIds.length,
        maxItems: statementIds.length,
        uniqueItems: true,
        description:
          'The four statements, from the one that fits the organisation best to the one that fits least.',
      }),
    ),
  }),
);

function buildCompleteSchema(ids: readonly string[], schema: TSchema) {
  return closedObject(Object.fromEntries(ids.map((id) => [id, schema])));
}

/** The effect of a respondent's answers; never the answers themselves. */
export const responseWire = closedObject(
  {
    questionnaire_version: Type.String(),
    answered_at: timestamp,
    profile_version: nullable(
      Type.Integer({ minimum: 1, description: 'The latest version of the profile.' }),
    ),
    respondents_missing,
  },
  { $id: 'CultureResponse' },
);

const buildSharesSchema = (names: readonly string[], maximum: number) =>
  closedObject(Object.fromEntries(names.map((name) => [name, Type.Number({ minimum: 0, maximum })])));

/** The culture profile: numbers about an organisation, never about a single respondent. */
export const cultureProfileWire = closedObject(
  {
    version: Type.Integer({ minimum: 1 }),
    questionnaire_version: Type.String(),
    respondents: Type.Integer({ minimum: minimum_respondents }),
    braving: Type.Unsafe<Scores['braving']>(buildSharesSchema(bravingDimensions, 1)),
    cvf: Type.Unsafe<Scores['cvf']>(buildSharesSchema(cvfQuadrants, 0.5)),
    computed_at: timestamp,
  },
  { $id: 'CultureProfile' },
);

export function toWire(
  profile: Scores & {
    readonly version: number;
    readonly questionnaire_version: string;
    readonly respondents: number;
    readonly computed_at: Date;
  },
): Static<typeof cultureProfileWire> {
  const { version, questionnaire_version, respondents, braving, cvf, computed_at } = profile;
  return {
    version,
    questionnaire_version,
    respondents,
    braving,
    cvf,
    computed_at: computed_at.toISOString(),
  };
}
