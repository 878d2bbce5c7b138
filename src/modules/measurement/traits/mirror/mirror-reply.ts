import { toKeyedCategory } from '@tessera/psychometrics';
import { Type, type Static } from 'typebox';
import { closedObject, field, timestamp } from '#platform/schema.ts';
import type { ItemBank } from '../items/bank.ts';
import { findStatement } from '../items/bank.ts';
import { isSkipped, listOptionTexts, type Answer, type Item } from '../items/item.ts';
import { computePublicId } from '../items/public-id.ts';
import { qualityFlags } from '../measurement/answer-quality.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import { claimPosition, traitWords, type TraitWord } from '../measurement/trait-words.ts';
import { traitCodes } from '../taxonomy.ts';
import { english } from '../items/languages.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import { assessmentWire, languageField, languagesField, traitVectorWire } from '../wire.ts';
import { mirror_statements } from './choose-statement.ts';
import { mirror_ms, sealed_characters_max, type FirstMirror } from './sealed-mirror.ts';

const count = (minimum = 0) => Type.Integer({ minimum });

export const mirrorInput = field(
  Type.String({ minLength: 1, maxLength: sealed_characters_max }),
  'The mirror of the last reply. The service stores nothing of it.',
  'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ',
);

export const linkInput = field(
  Type.String({ minLength: 1, maxLength: 2 * sealed_characters_max }),
  'The token of the link in the email.',
  'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ',
);

/** What answers say to the person who gave them. */
export const insightFields = {
  traits: traitVectorWire.properties.traits,
  flags: field(
    Type.Array(Type.Enum(qualityFlags)),
    'Signals that the answers say less than usual. Each has harmless reasons; they lower the confidence.',
    [],
  ),
  insight: field(
    Type.Union([
      closedObject({
        trait_name: field(Type.Enum([...traitCodes]), 'The trait that is clear.', 'analytical_depth'),
        word: field(Type.Enum([...traitWords]), 'Its position in words, compared with most people.', 'more'),
        statements: field(count(1), 'How many statements about it were answered.', 5),
        agreeing: field(count(), 'How many of these answers point to the same side.', 5),
      }),
      Type.Null(),
    ]),
    'The one thing that is clear and furthest from the middle, and what it rests on; null while nothing is.',
  ),
};

/** A first mirror: what the answers of a visitor without an account say so far. */
export const mirrorWire = closedObject(
  {
    mirror: field(
      Type.String(),
      'The answers, encrypted, for the next call: nobody but the visitor has them.',
      'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ',
    ),
    expires_at: field(timestamp, 'Until when it can be continued.', '2026-03-04T15:30:00.000Z'),
    answered: field(count(), 'How many statements are answered.', 4),
    most: field(count(1), 'After how many statements it ends in any case.', mirror_statements.most),
    language: languageField,
    languages: languagesField,
    next_item: assessmentWire.properties.next_item,
    ...insightFields,
  },
  { $id: 'FirstMirror' },
);

/** Builds the reply about a mirror. `sealed` is the same mirror, encrypted. */
export function toMirrorWire(
  { answers, asked_id, asked_ms }: FirstMirror,
  sealed: string,
  bank: ItemBank,
): Static<typeof mirrorWire> {
  const asked = asked_id === null ? undefined : bank.itemsById.get(asked_id);
  return {
    mirror: sealed,
    expires_at: new Date(asked_ms + mirror_ms).toISOString(),
    answered: answers.length,
    most: mirror_statements.most,
    language: bank.language ?? english,
    languages: listBankLanguages(bank),
    next_item: asked ? toItemWire(asked) : null,
    ...describeAnswers(answers, bank),
  };
}

/** Measures answers, and says what is clear. */
export function describeAnswers(
  answers: readonly Answer[],
  bank: ItemBank,
): Pick<Static<typeof mirrorWire>, keyof typeof insightFields> {
  const { vector, quality_flags } = measureAnswers(answers, bank);
  const traits = vector.traits.map((each) => ({ ...each, ...claimPosition(each) }));
  return { traits, flags: [...quality_flags], insight: findInsight(traits, answers, bank) };
}

/** What a visitor without an account sees of an item. */
export function toItemWire(asked: Item): NonNullable<Static<typeof mirrorWire>['next_item']> {
  return { item_id: computePublicId(asked.id), text: asked.text, options: [...listOptionTexts(asked)] };
}

type Insight = Static<typeof mirrorWire>['insight'];
type ClaimedTrait = Static<typeof mirrorWire>['traits'][number];

/**
 * Finds the clear trait that is furthest from the middle, of those about which statements were answered: what is known of the others follows from
 * correlations alone, and has no reason to show.
 */
function findInsight(traits: readonly ClaimedTrait[], answers: readonly Answer[], bank: ItemBank): Insight {
  const [first] = traits
    .filter(({ certainty }) => certainty === 'clear')
    .map((trait) => ({ ...trait, sides: listSides(trait, answers, bank) }))
    .filter((trait) => trait.sides.length > 0)
    .toSorted((one, other) => Math.abs(other.score - 0.5) - Math.abs(one.score - 0.5));
  if (!first || first.word === null) return null;
  const { trait_name, word, sides } = first;
  const agreeing = sides.filter((side) => side === sideOfWord[word]).length;
  return { trait_name, word, statements: sides.length, agreeing };
}

const sideOfWord: Readonly<Record<TraitWord, number>> = {
  much_less: -1,
  less: -1,
  average: 0,
  more: 1,
  much_more: 1,
};

/** Lists to which side each answer about a trait points: -1, 0 or 1. */
function listSides(
  { trait_name }: ClaimedTrait,
  answers: readonly Answer[],
  bank: ItemBank,
): readonly number[] {
  return answers.flatMap(({ item_id, option }) => {
    const statement = findStatement(bank, item_id);
    if (statement?.trait !== trait_name || isSkipped(statement, option)) return [];
    return [Math.sign(toKeyedCategory(statement, option) - statement.thresholds.length / 2)];
  });
}
