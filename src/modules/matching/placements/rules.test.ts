import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { feedbackStages, respondents } from './resource.ts';
import {
  checkStage,
  decideOutcome,
  findNextStage,
  findUnansweredStage,
  listStages,
  outcomes,
  type DatedOutcome,
  type RequestedOutcome,
} from './rules.ts';

const day_ms = 86_400_000;
const now = new Date('2026-06-01T12:00:00Z');

const time = fc.integer({ min: -5_000, max: 5_000 }).map((days) => new Date(now.getTime() + days * day_ms));
const requestedOutcome: fc.Arbitrary<RequestedOutcome> = fc.record(
  { outcome: fc.constantFrom(...outcomes), placed_at: time, ended_at: time },
  { requiredKeys: ['outcome'] },
);

/** What the rules make of a series of requests: what is refused changes nothing. */
function recordAll(requests: readonly RequestedOutcome[]): readonly DatedOutcome[] {
  const records: DatedOutcome[] = [];
  for (const request of requests) {
    try {
      records.push(decideOutcome(records.at(-1), request, now));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return records;
}

describe('after any requests in any order', () => {
  const checkHistories = (expectOf: (records: readonly DatedOutcome[]) => void) =>
    fc.assert(
      fc.property(fc.array(requestedOutcome, { maxLength: 12 }), (requests) => expectOf(recordAll(requests))),
      { numRuns: 2_000 },
    );

  it('a history is not_placed alone, or placed, any number of extended, and at most one left', () => {
    checkHistories((records) => {
      const history = records.map(({ outcome }) => outcome).join(' ');
      expect(history).toMatch(/^(not_placed|placed( extended)*( left)?)?$/);
    });
  });

  it('a placement has one beginning, and no end before it or after the next planned end', () => {
    checkHistories((records) => {
      const placements = records.filter((each) => each.outcome !== 'not_placed');
      const beginnings = new Set(placements.map(({ placed_at }) => placed_at.getTime()));
      expect(beginnings.size).toBeLessThan(2);
      const isBeforeBeginning = ({ placed_at, ended_at }: (typeof placements)[number]) =>
        ended_at !== null && ended_at < placed_at;
      expect(placements.filter(isBeforeBeginning)).toEqual([]);
      const ends = placements.filter(({ outcome }) => outcome !== 'left').map(({ ended_at }) => ended_at);
      const isShortened = (end: Date | null, index: number) => {
        const before = ends[index - 1];
        return end !== null && before !== null && before !== undefined && end <= before;
      };
      expect(ends.filter(isShortened)).toEqual([]);
    });
  });

  it('dates are within reason', () => {
    const countDays = (date: Date | null) => (date === null ? 0 : (date.getTime() - now.getTime()) / day_ms);
    checkHistories((records) => {
      const beginnings = records.map(({ placed_at }) => countDays(placed_at));
      expect(beginnings.filter((days) => days > 366 || days < -3_653)).toEqual([]);
      const tooLate = records.filter(
        ({ outcome, ended_at }) => countDays(ended_at) > (outcome === 'left' ? 366 : 3_653),
      );
      expect(tooLate).toEqual([]);
    });
  });
});

describe('the stages of a placement', () => {
  const placement = fc
    .record({ placed_at: time, outcome: fc.constantFrom('placed', 'extended', 'left'), days: fc.nat(400) })
    .map(({ placed_at, outcome, days }) => {
      const ended_at = new Date(placed_at.getTime() + days * day_ms);
      return { outcome: outcome as 'left', placed_at, ended_at };
    });

  it('are 30, 90 and 180 days after its beginning, as far as it isReached', () => {
    fc.assert(
      fc.property(placement, (each) => {
        const isReached = (days: number) =>
          each.outcome !== 'left' || each.ended_at.getTime() >= each.placed_at.getTime() + days * day_ms;
        expect(listStages(each)).toEqual(
          feedbackStages.filter(isReached).map((stage_days) => ({
            stage_days,
            opens_at: new Date(each.placed_at.getTime() + stage_days * day_ms),
          })),
        );
      }),
    );
  });

  it('accept feedback from the moment they open, and never before', () => {
    const isAccepted = (each: DatedOutcome, stage: 30 | 90 | 180, at: Date) => {
      try {
        checkStage(each, stage, at);
        return true;
      } catch (error) {
        if (error instanceof Refusal && error.code === 'feedback_not_open') return false;
        throw error;
      }
    };
    fc.assert(
      fc.property(placement, fc.constantFrom(...feedbackStages), time, (each, stage_days, at) => {
        const stage = listStages(each).find((one) => one.stage_days === stage_days);
        expect(isAccepted(each, stage_days, at)).toBe(stage !== undefined && stage.opens_at <= at);
      }),
    );
    expect(() => checkStage(undefined, 30, now)).toThrow(Refusal);
  });

  it('come one after the other: the next one opens later, and none is left out', () => {
    fc.assert(
      fc.property(placement, (each) => {
        const found = [];
        for (let at = new Date(0); ;) {
          const next = findNextStage(each, at);
          if (!next) break;
          found.push(next);
          at = next.opens_at;
        }
        expect(found).toEqual(listStages(each));
      }),
    );
  });

  it('ask a side for the latest stage that has opened, until it answers', () => {
    fc.assert(
      fc.property(placement, time, fc.constantFrom(...respondents), (each, at, respondent) => {
        const opened = listStages(each).filter(({ opens_at }) => opens_at <= at);
        const asked = findUnansweredStage(each, { feedback: [], respondent, now: at });
        expect(asked).toBe(opened.at(-1)?.stage_days);
        const other = respondent === 'member' ? 'organisation' : 'member';
        const answer = (side: typeof other) =>
          opened.map(({ stage_days }) => ({ stage_days, respondent: side }));
        const ask = (side: typeof other) =>
          findUnansweredStage(each, { feedback: answer(side), respondent, now: at });
        expect([ask(other), ask(respondent)]).toEqual([asked, undefined]);
      }),
    );
  });
});
