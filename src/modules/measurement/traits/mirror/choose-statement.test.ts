import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { describe, expect, it } from 'vitest';
import { itemBank } from '../items/item-bank.ts';
import { isGraded, type Answer } from '../items/item.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import { simulateMember, simulateOption, type SimulatedMember } from '../measurement/simulated-member.ts';
import { claimPosition } from '../measurement/trait-words.ts';
import { chooseMirrorStatement, mirror_statements } from './choose-statement.ts';

const people = 120;
const random = createSeededRandom(31);

function answerAll(member: SimulatedMember, seed: string): readonly Answer[] {
  const answers: Answer[] = [];
  for (;;) {
    const item = chooseMirrorStatement(answers, seed, itemBank);
    if (!item) return answers;
    answers.push({ item_id: item.id, option: simulateOption(member, item, random), response_time_ms: 5_000 });
  }
}

const ended = Array.from({ length: people }, (_, index) => {
  const member = simulateMember(random);
  const answers = answerAll(member, `mirror ${index}`);
  return { member, answers, traits: measureAnswers(answers, itemBank).vector.traits };
});

describe('the choice of statements for a first mirror', () => {
  it('asks statements alone, none twice, and ends after 12 to 15', () => {
    for (const { answers } of ended) {
      expect(answers.every(({ item_id }) => isGraded(itemBank.itemsById.get(item_id)!))).toBe(true);
      expect(new Set(answers.map(({ item_id }) => item_id)).size).toBe(answers.length);
      expect(answers.length).toBeGreaterThanOrEqual(mirror_statements.fewest);
      expect(answers.length).toBeLessThanOrEqual(mirror_statements.most);
    }
  });

  it('makes something clear for most people, on the side on which they are', () => {
    const claims = ended.flatMap(({ member, traits }) =>
      traits.flatMap((trait, slot) => {
        const { word, certainty } = claimPosition(trait);
        return certainty === 'clear' ? [{ isTrue: word?.includes('more') === member.traits[slot]! > 0 }] : [];
      }),
    );
    const withClaim = ended.filter(({ traits }) =>
      traits.some((each) => claimPosition(each).certainty === 'clear'),
    );
    expect(withClaim.length / people).toBeGreaterThan(0.6);
    expect(claims.filter(({ isTrue }) => !isTrue).length / claims.length).toBeLessThan(0.05);
  });
});
