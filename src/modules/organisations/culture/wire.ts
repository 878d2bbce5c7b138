import { Type, type Static, type TSchema } from 'typebox';
import { closedObject, field, nullable, timestamp, toReply } from '#platform/schema.ts';
import {
  agreementSteps,
  bravingDimensions,
  bravingItems,
  cvfBlocks,
  cvfQuadrants,
  questionnaireVersion,
  statementIds,
} from './questionnaire.ts';
import {
  cultureBases,
  declarationRefusals,
  minimum_respondents,
  countMissingRespondents,
  type CultureProfile,
} from './rules.ts';
import type { Answers, Declaration, Scores } from './score.ts';

const respondents_missing = Type.Integer({
  minimum: 0,
  maximum: minimum_respondents,
  description: 'How many more users must answer before the next version of the profile.',
  examples: [2],
});

/** The questionnaire, when the caller answered it, and how many respondents are missing. */
export const questionnaireWire = closedObject(
  {
    version: field(Type.String(), 'The version of the questionnaire.', questionnaireVersion),
    scale: field(Type.Array(Type.String()), 'The steps of agreement; option 0 is the first.', [
      ...agreementSteps,
    ]),
    braving: field(
      Type.Array(
        closedObject({
          item_id: field(Type.String(), 'The id of the item, to answer it.', bravingItems[0]!.item_id),
          text: field(Type.String(), 'The statement to agree or disagree with.', bravingItems[0]!.text),
        }),
      ),
      'Statements about trust.',
    ),
    cvf: field(
      Type.Array(
        closedObject({
          block_id: field(Type.String(), 'The id of the block, to answer it.', cvfBlocks[0]!.block_id),
          text: field(Type.String(), 'The beginning of the four statements.', cvfBlocks[0]!.text),
          statements: field(
            Type.Array(
              closedObject({
                statement_id: field(Type.Enum(statementIds), 'The id of the statement in its block.'),
                text: field(Type.String(), 'The end of the statement.', cvfBlocks[0]!.statements[0]!.text),
              }),
            ),
            'The four statements to put in order.',
          ),
        }),
      ),
      'Statements about how the organisation works.',
    ),
    minimum_respondents: field(
      Type.Integer(),
      'How many users must answer before a profile is published.',
      minimum_respondents,
    ),
    respondents_missing,
    answered_at: field(
      nullable(timestamp),
      'When you answered; null if you have not.',
      '2026-03-02T09:00:00.000Z',
    ),
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

const agreementStep = Type.Integer({ minimum: 0, maximum: agreementSteps.length - 1 });

/** The answer to an item. */
export const itemOption = field(
  agreementStep,
  'How much you agree with the item of this id; 0 is the first step of the scale.',
  3,
);

/** The answer to a block. */
export const blockOrder = Type.Array(Type.Enum(statementIds), {
  minItems: statementIds.length,
  maxItems: statementIds.length,
  uniqueItems: true,
  description:
    'The four statements, from the one that fits the organisation best to the one that fits least.',
  examples: [[...statementIds]],
});

/** Complete answers: every item and every block, each by its id. */
export const answersInput = Type.Unsafe<Answers>(
  closedObject({
    braving: field(
      buildCompleteSchema(
        bravingItems.map(({ item_id }) => item_id),
        itemOption,
      ),
      'The answer to every statement about trust.',
    ),
    cvf: field(
      buildCompleteSchema(
        cvfBlocks.map(({ block_id }) => block_id),
        blockOrder,
      ),
      'The order of the statements in every block.',
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
    answered_at: field(timestamp, 'When you answered.', '2026-03-02T09:00:00.000Z'),
    profile_version: nullable(
      Type.Integer({ minimum: 1, description: 'The latest version of the profile.', examples: [4] }),
    ),
    respondents_missing,
  },
  { $id: 'CultureResponse' },
);

const buildSharesSchema = (names: readonly string[], maximum: number) =>
  closedObject(
    Object.fromEntries(
      names.map((name) => [
        name,
        field(Type.Number({ minimum: 0, maximum }), `The organisation’s result for ${name}.`, 0.25),
      ]),
    ),
  );

/** What a culture profile is based on. */
export const cultureBasis = field(
  Type.Enum(cultureBases),
  '`measured`: the answers of at least five users. `declared`: what an organisation of fewer than five users says about itself, without any user’s answers.',
  'measured',
);

/** What an organisation declares about its own culture. */
export const declarationInput = {
  braving: field(
    Type.Unsafe<Declaration['braving']>(
      closedObject(
        Object.fromEntries(
          bravingDimensions.map((name) => [
            name,
            field(
              agreementStep,
              `How much you agree together that there is ${name}: 0 not at all, 4 fully.`,
              3,
            ),
          ]),
        ),
      ),
    ),
    'Trust by dimension.',
  ),
  cvf: Type.Unsafe<Declaration['cvf']>(
    Type.Array(Type.Enum(cvfQuadrants), {
      minItems: cvfQuadrants.length,
      maxItems: cvfQuadrants.length,
      uniqueItems: true,
      description:
        'The four quadrants, from the one that counts most in the organisation to the one that counts least.',
      examples: [[...cvfQuadrants]],
    }),
  ),
};

/** Whether a culture profile can be declared. */
export const declarationTermsWire = closedObject(
  {
    refused: nullable(
      Type.Enum(declarationRefusals, {
        description:
          'Why the organisation cannot declare a profile now: the code with which POST refuses. Null if it can.',
        examples: ['culture_declaration_too_soon'],
      }),
    ),
    possible_from: field(
      nullable(timestamp),
      'When the next declaration is possible, if only time is missing.',
      '2026-03-09T09:00:00.000Z',
    ),
  },
  { $id: 'CultureDeclarationTerms' },
);

/** A published culture profile in words, for members who consider a job. */
export const cultureWordsWire = closedObject(
  {
    basis: cultureBasis,
    values: Type.Array(Type.String(), {
      description: 'What counts most in the organisation; empty if no value leads.',
      examples: [['Order and reliable processes count most here.']],
    }),
    trust: Type.Array(Type.String(), {
      description:
        'What those who work there clearly confirm or deny about trust; for a declared profile, what the organisation says about itself.',
      examples: [['People who work here agree that promises are kept.']],
    }),
  },
  {
    description:
      'The latest published culture profile in words; null if the organisation has published none.',
  },
);

/** The culture profile: numbers about an organisation, never about a single respondent. */
export const cultureProfileWire = closedObject(
  {
    version: field(Type.Integer({ minimum: 1 }), 'The version of the profile: 1 is the first.', 4),
    questionnaire_version: Type.String(),
    basis: cultureBasis,
    respondents: field(
      Type.Integer({ minimum: 0 }),
      'How many users have answered: at least five, or none for a declared profile.',
      12,
    ),
    braving: field(
      Type.Unsafe<Scores['braving']>(buildSharesSchema(bravingDimensions, 1)),
      'Trust by dimension, from 0 to 1.',
    ),
    cvf: field(
      Type.Unsafe<Scores['cvf']>(buildSharesSchema(cvfQuadrants, 0.5)),
      'The shares of the four quadrants of the Competing Values Framework, which sum to 1.',
    ),
    computed_at: timestamp,
  },
  { $id: 'CultureProfile' },
);

export function toWire(profile: Omit<CultureProfile, 'org_id'>) {
  return toReply(cultureProfileWire, profile);
}
