import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import {
  checkStage,
  decideOutcome,
  feedbackStages,
  findNextStage,
  findUnansweredStage,
  listStages,
  outcomes,
  respondents,
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

describe('whatever is requested, in whatever order', () => {
  const check = (predicate: (records: readonly DatedOutcome[]) => void) =>
    fc.assert(
      fc.property(fc.array(requestedOutcome, { maxLength: 12 }), (requests) =>
        predicate(recordAll(requests)),
      ),
      { numRuns: 2_000 },
    );

  it('a history is not_placed alone, or placed, any number of extended, and at most one left', () => {
    check((records) => {
      const history = records.map(({ outcome }) => outcome).join(' ');
      expect(history).toMatch(/^(not_placed|placed( extended)*( left)?)?$/);
    });
  });

  it('a placement has one beginning, and no end before it or after the next planned end', () => {
    check((records) => {
      const placements = records.filter((each) => each.outcome !== 'not_placed');
      for (const { placed_at, ended_at } of placements) {
        expect(placed_at).toEqual(placements[0]!.placed_at);
        if (ended_at) expect(ended_at.getTime()).toBeGreaterThanOrEqual(placed_at.getTime());
      }
      const ends = placements.filter(({ outcome }) => outcome !== 'left').map(({ ended_at }) => ended_at);
      for (const [index, end] of ends.entries()) {
        const before = ends[index - 1];
        if (before && end) expect(end.getTime()).toBeGreaterThan(before.getTime());
      }
    });
  });

  it('dates are within reason', () => {
    check((records) => {
      for (const { outcome, placed_at, ended_at } of records) {
        if (placed_at) expect(Math.abs(placed_at.getTime() - now.getTime())).toBeLessThan(3_653 * day_ms);
        const future_days = outcome === 'left' ? 366 : 3_653;
        if (ended_at) expect(ended_at.getTime() - now.getTime()).toBeLessThan(future_days * day_ms);
      }
    });
  });
});

describe('the stages of a placement', () => {
  const placement = fc
    .record({ placed_at: time, outcome: fc.constantFrom('placed', 'extended', 'left'), days: fc.nat(400) })
    .map(({ placed_at, outcome, days }): DatedOutcome => {
      const ended_at = new Date(placed_at.getTime() + days * day_ms);
      return { outcome: outcome as 'left', placed_at, ended_at };
    });

  it('are 30, 90 and 180 days after its beginning, as far as it lasts', () => {
    fc.assert(
      fc.property(placement, (each) => {
        const lasts = (days: number) =>
          each.outcome !== 'left' || each.ended_at!.getTime() >= each.placed_at!.getTime() + days * day_ms;
        expect(listStages(each)).toEqual(
          feedbackStages.filter(lasts).map((stage_days) => ({
            stage_days,
            opens_at: new Date(each.placed_at!.getTime() + stage_days * day_ms),
          })),
        );
      }),
    );
  });

  it('accept feedback from the moment they open, and never before', () => {
    const accepts = (each: DatedOutcome, stage: 30 | 90 | 180, at: Date) => {
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
        expect(accepts(each, stage_days, at)).toBe(stage !== undefined && stage.opens_at <= at);
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
