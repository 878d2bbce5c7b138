import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, timestamp, uuid, toReply } from '#platform/schema.ts';
import { computeRetake, type Retake } from './assessment/rules.ts';
import type { ItemBank } from './items/bank.ts';
import { listOptionTexts, type Answer, type Item } from './items/item.ts';
import { english } from './items/languages.ts';
import { computePublicId } from './items/public-id.ts';
import { listBankLanguages } from './items/translate-bank.ts';
import { qualityFlags, type QualityFlag } from './measurement/answer-quality.ts';
import { computeDeepening, computeFullProgress, computeProgress } from './measurement/progress.ts';
import { assessmentStages, type AssessmentStage } from './measurement/stages.ts';
import type { TraitVector } from './measurement/trait-vector.ts';
import { certainties, claimPosition, claimWay, traitWords } from './measurement/trait-words.ts';
import { traitCodes, traitFamilyNames } from './taxonomy.ts';

export const example_item_id = computePublicId('analytical_depth_03');

const probability = Type.Number({ minimum: 0, maximum: 1 });
const traitName = Type.Enum([...traitCodes]);
const buildShare = (description: string, example: number) => field(probability, description, example);

export const languageField = field(Type.String(), 'The language of the items, as BCP 47 writes it.', english);

/** Any text may be sent; a language that is not offered is none that can be chosen. */
export const languageInput = field(
  Type.String({ minLength: 2, maxLength: 35 }),
  'The language that the person prefers, as BCP 47 writes it. The items are in this one if all of them exist in it, and otherwise in that of the bank.',
  english,
);

export const languagesField = field(
  Type.Array(Type.String()),
  'The languages in which all items exist, that of the bank first.',
  [english],
);

/** The progress of an assessment and its next item. */
export const assessmentWire = closedObject(
  {
    assessment_id: uuid,
    stage: field(
      Type.Enum(assessmentStages),
      'The stage of the assessment. In `deepening` a preliminary result exists, and further answers, which are optional, make it more precise.',
      'first',
    ),
    progress: field(
      closedObject({
        answered: field(Type.Integer({ minimum: 0 }), 'The number of items that are answered.', 24),
        estimated_total: field(
          Type.Integer({ minimum: 0 }),
          'How many items will probably be answered at the end of what the member has agreed to.',
          50,
        ),
        percent: field(
          Type.Integer({ minimum: 0, maximum: 100 }),
          'The share of these items that is answered, in percent; 100 exactly if no item is asked.',
          48,
        ),
        minutes_left: field(
          Type.Integer({ minimum: 0 }),
          'The minutes until then, at the pace of the member so far.',
          3,
        ),
      }),
      'How far the member has come in what they have agreed to: the first stage, and the deepening once they have chosen it.',
    ),
    language: languageField,
    languages: field(
      Type.Array(Type.String()),
      'The languages that `language` of POST /members/me/assessment can still choose: all in which the items exist until the first answer, and then the one that was chosen.',
      [english],
    ),
    can_go_back: field(
      Type.Boolean(),
      'Whether POST /members/me/assessment/back can undo the last answer: not if a result is based on it.',
      true,
    ),
    next_item: field(
      Type.Union([
        closedObject({
          item_id: field(Type.String(), 'The id of the item, to answer it.', example_item_id),
          text: field(
            Type.String(),
            'The statement or situation that the member reads.',
            'I take a problem apart before I look for a solution.',
          ),
          options: field(Type.Array(Type.String()), 'The answers to choose from; option 0 is the first.', [
            'Not at all like me',
            'A little like me',
            'Somewhat like me',
            'Much like me',
            'Exactly like me',
          ]),
        }),
        Type.Null(),
      ]),
      'The item to answer next; null at the end of the first stage until `deepen`, and once the assessment is complete.',
    ),
    deepening: field(
      Type.Union([
        closedObject({
          items: field(Type.Integer({ minimum: 1 }), 'About how many further items there are.', 55),
          minutes: field(Type.Integer({ minimum: 1 }), 'About how many minutes they take.', 6),
        }),
        Type.Null(),
      ]),
      'What going on with `deepen` would take, at the end of the first stage; otherwise null.',
      null,
    ),
    retake: field(
      Type.Union([
        closedObject({
          available_at: field(
            timestamp,
            'From when on `restart` starts another assessment.',
            '2026-04-03T14:30:00.000Z',
          ),
          advice: field(
            Type.Union([Type.String(), Type.Null()]),
            'A friendly suggestion to take the assessment again, for the member alone; null if there is no reason to.',
            null,
          ),
        }),
        Type.Null(),
      ]),
      'When the assessment may be taken again; null before the first result.',
    ),
  },
  { $id: 'Assessment' },
);

/** A trait vector, which only its member may read. */
export const traitVectorWire = closedObject(
  {
    member_id: uuid,
    version: field(
      Type.Integer({ minimum: 1 }),
      'The version of the vector. Every result has a higher one; those that a later result of the same assessment replaced do not exist any more.',
      6,
    ),
    stage: field(
      Type.Enum(assessmentStages),
      'The stage of the assessment that the result comes from.',
      'complete',
    ),
    preliminary: field(
      Type.Boolean(),
      'Whether the assessment is not complete, so that further answers make the result more precise.',
      false,
    ),
    overall_confidence: buildShare('How certain the measurement is as a whole, from 0 to 1.', 0.82),
    provisional: field(
      Type.Boolean(),
      'Whether the parameters of the items are not yet calibrated with the answers of enough people. The bounds are wider then, and include what that adds.',
      true,
    ),
    quality: field(
      closedObject({
        flags: field(
          Type.Array(Type.Enum(qualityFlags)),
          'Signals that the answers say less than usual, for the member alone. Each has harmless reasons; they lower the confidence.',
          [],
        ),
        retake_suggested: field(
          Type.Boolean(),
          'Whether another assessment is suggested; `retake` of POST /members/me/assessment says from when on.',
          false,
        ),
      }),
      'What the answers say about the certainty of the result.',
    ),
    last_updated: field(timestamp, 'When the traits were last measured.', '2026-03-04T14:30:00.000Z'),
    traits: field(
      Type.Array(
        closedObject({
          trait_name: traitName,
          score: buildShare('The position in the population, from 0 to 1.', 0.74),
          confidence: buildShare('How certain the score is, from 0 to 1.', 0.86),
          lower_bound: buildShare('The lower end of the range in which the score probably is.', 0.66),
          upper_bound: buildShare('The upper end of the range in which the score probably is.', 0.81),
          word: field(
            nullable(Type.Enum([...traitWords])),
            'The position in words, compared with most people; null if the bounds support none.',
            'more',
          ),
          certainty: field(
            Type.Enum([...certainties]),
            'Whether the word is clear, or likely while the other side stays possible; `open` without a word.',
            'clear',
          ),
        }),
      ),
      'The traits with a position on a scale.',
    ),
    categorical_traits: field(
      Type.Array(
        closedObject({
          trait_name: field(traitName, 'The code of an MVP-20 trait.', 'decision_mode'),
          primary: field(
            Type.String(),
            'The value that the member prefers most, compared with other people.',
            'rational',
          ),
          distribution: field(
            Type.Array(
              closedObject({
                value: field(Type.String(), 'A value of the trait.', 'rational'),
                probability: buildShare(
                  'How probably the member would choose the value if all were equally popular, from 0 to 1.',
                  0.61,
                ),
              }),
            ),
            'All values with their probabilities, which sum to 1.',
          ),
          confidence: buildShare('How certain the measurement is, from 0 to 1.', 0.7),
          certainty: field(
            Type.Enum([...certainties]),
            'Whether it is clear, likely or open that `primary` is preferred to all other values.',
            'open',
          ),
        }),
      ),
      'The traits whose values are ways of acting.',
    ),
  },
  { $id: 'TraitVector' },
);

/** A version of a trait vector in the list of them, which only its member may read. */
export const traitVectorSummaryWire = closedObject(
  {
    version: field(Type.Integer({ minimum: 1 }), 'The version, for GET /members/me/traits.', 6),
    stage: field(
      Type.Enum(assessmentStages),
      'The stage of the assessment that the result comes from.',
      'complete',
    ),
    preliminary: field(Type.Boolean(), 'Whether the assessment was not complete.', false),
    provisional: field(
      Type.Boolean(),
      'Whether the parameters of the items were not yet calibrated with the answers of enough people.',
      true,
    ),
    last_updated: field(timestamp, 'When the traits were measured.', '2026-03-04T14:30:00.000Z'),
  },
  { $id: 'TraitVectorSummary' },
);

export function toVectorSummaryWire(
  result: Pick<StoredResult, 'version' | 'stage' | 'provisional' | 'created_at'>,
) {
  const { stage, created_at } = result;
  return toReply(traitVectorSummaryWire, {
    ...result,
    preliminary: stage !== 'complete',
    last_updated: created_at,
  });
}

export const taxonomyWire = closedObject(
  {
    version: field(Type.String(), 'The version of the taxonomy.', 'MVP-20'),
    traits: field(
      Type.Array(
        closedObject({
          trait_name: field(traitName, 'The code of the trait.', 'decision_mode'),
          name: field(
            Type.String(),
            'The plain name of the trait, the same in every explanation and report.',
            'Decision-making',
          ),
          family: field(Type.Enum([...traitFamilyNames]), 'The family of the trait.', 'cognitive_style'),
          kind: field(
            Type.Enum(['continuous', 'categorical']),
            'Whether the trait is a position on a scale or one of several values.',
            'categorical',
          ),
          meaning: field(
            Type.String(),
            'What the trait says about a person.',
            'How the person reaches a decision.',
          ),
          values: Type.Optional(
            field(Type.Array(Type.String()), 'The values of a categorical trait.', [
              'rational',
              'intuitive',
              'consultative',
            ]),
          ),
        }),
      ),
      'The twenty traits, by family.',
    ),
  },
  { $id: 'Taxonomy' },
);

/** Builds the reply to starting, resuming, answering and going back in an assessment. */
export function toAssessmentWire(
  { assessment, answers, bank }: AssessmentState,
  next: Item | undefined,
): Static<typeof assessmentWire> {
  const { id, stage, counted_answers, completed_at, quality_flags, follows_flagged } = assessment;
  const language = bank.language ?? english;
  return {
    assessment_id: id,
    stage,
    language,
    languages: answers.length === 0 ? listBankLanguages(bank) : [language],
    progress: next ? computeProgress(answers, stage, bank) : computeFullProgress(answers),
    can_go_back: next !== undefined && answers.length > counted_answers,
    next_item: next
      ? { item_id: computePublicId(next.id), text: next.text, options: [...listOptionTexts(next)] }
      : null,
    deepening: stage === 'deepening' && next === undefined ? computeDeepening(answers, bank) : null,
    retake: completed_at && toRetakeWire(computeRetake({ completed_at, quality_flags, follows_flagged })),
  };
}

type AssessmentState = {
  readonly assessment: {
    readonly id: string;
    readonly stage: AssessmentStage;
    readonly counted_answers: number;
    readonly completed_at: Date | null;
    readonly quality_flags: readonly string[];
    readonly follows_flagged: boolean;
  };
  readonly answers: readonly Answer[];
  readonly bank: ItemBank;
};

function toRetakeWire({ available_at, advice }: Retake): Static<typeof assessmentWire>['retake'] {
  return { available_at: available_at.toISOString(), advice };
}

export function toTraitVectorWire(
  member_id: string,
  { version, stage, vector, provisional, quality_flags, created_at }: StoredResult,
): Static<typeof traitVectorWire> {
  return {
    member_id,
    version,
    stage,
    preliminary: stage !== 'complete',
    overall_confidence: vector.overall_confidence,
    provisional,
    quality: { flags: [...quality_flags], retake_suggested: quality_flags.length > 0 },
    last_updated: created_at.toISOString(),
    ...toClaimedTraits(vector),
  };
}

/** Adds to each trait what its bounds support. */
export function toClaimedTraits(
  vector: Pick<TraitVector, 'traits' | 'categorical_traits'>,
): Pick<Static<typeof traitVectorWire>, 'traits' | 'categorical_traits'> {
  return {
    traits: vector.traits.map((each) => ({ ...each, ...claimPosition(each) })),
    categorical_traits: vector.categorical_traits.map((each) => ({
      ...each,
      certainty: claimWay(each.confidence),
      distribution: [...each.distribution],
    })),
  };
}

type StoredResult = {
  readonly version: number;
  readonly stage: AssessmentStage;
  readonly vector: TraitVector;
  readonly provisional: boolean;
  readonly quality_flags: readonly QualityFlag[];
  readonly created_at: Date;
};
