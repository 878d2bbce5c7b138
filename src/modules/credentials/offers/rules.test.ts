import { describe, expect, it } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import {
  checkOfferTime,
  computeOfferStatus,
  decideAnswer,
  decidePlacementStep,
  decideTakingBack,
  decisions,
  type OfferState,
} from './rules.ts';

const now = new Date('2026-03-02T09:00:00Z');
const addDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const states: readonly OfferState[] = [
  'waiting',
  'open',
  'accepted',
  'declined',
  'disputed',
  'withdrawn',
  'revoked',
];

const offer = (state: OfferState, closes_at = addDays(1)) => ({
  state,
  closes_at,
  credential_type: 'org_validation' as const,
  org_id: 'organisation',
});

describe('an answer', () => {
  it('leads to one state from each status, or is refused', () => {
    const outcomes = states.flatMap((state) =>
      decisions.map((decision) => {
        try {
          return `${state} ${decision}: ${decideAnswer(offer(state), decision, now) ?? 'as before'}`;
        } catch {
          return undefined;
        }
      }),
    );
    expect(outcomes.filter((each) => each !== undefined)).toEqual([
      'waiting decline: declined',
      'waiting dispute: disputed',
      'open accept: accepted',
      'open decline: declined',
      'open dispute: disputed',
      'accepted accept: as before',
      'declined decline: as before',
      'disputed dispute: as before',
    ]);
  });

  it('comes too late when the offer has expired', () => {
    const late = offer('open', now);
    expect(computeOfferStatus(late, now)).toBe('expired');
    for (const decision of decisions) expect(() => decideAnswer(late, decision, now)).toThrow(Refusal);
  });

  it('disputes nothing that the service itself says', () => {
    expect(() => decideAnswer({ ...offer('open'), org_id: null }, 'dispute', now)).toThrow(
      'Only what an organisation says',
    );
  });
});

it('an organisation withdraws what is not accepted, and revokes what is', () => {
  expect(
    states.map((state) =>
      ['declined', 'disputed'].includes(state) ? 'refused' : decideTakingBack({ state }),
    ),
  ).toEqual(['withdrawn', 'withdrawn', 'revoked', 'refused', 'refused', undefined, undefined]);
  expect(() => decideTakingBack({ state: 'declined' })).toThrow('declined');
});

describe('a placement', () => {
  const facts = { placed_at: now, left_at: null };
  const createLatest = (state: OfferState, placed_on = '2026-03-02') => ({
    state,
    claims: { placed_on },
    opens_at: addDays(3),
  });

  it('is offered two weeks after it was recorded and has begun', () => {
    expect(decidePlacementStep(undefined, facts, now)).toEqual({ kind: 'offer', opens_at: addDays(14) });
    const later = { placed_at: addDays(30), left_at: null };
    expect(decidePlacementStep(undefined, later, now)).toEqual({ kind: 'offer', opens_at: addDays(44) });
    expect(decidePlacementStep(undefined, { ...facts, placed_at: addDays(-90) }, now)).toEqual({
      kind: 'offer',
      opens_at: addDays(14),
    });
  });

  it('changes nothing that says what is recorded', () => {
    for (const state of states)
      expect(decidePlacementStep(createLatest(state), facts, now).kind).toBe('nothing');
  });

  it.each([
    ['waiting', addDays(14), addDays(3)],
    ['open', now, now],
    ['accepted', now, now],
    ['disputed', addDays(14), undefined],
    ['declined', undefined, undefined],
    ['withdrawn', undefined, undefined],
    ['revoked', undefined, undefined],
  ] as const)('%s: a correction opens at %s, an end at %s', (state, corrected, ended) => {
    const toStep = (opens_at: Date | undefined) =>
      opens_at === undefined ? { kind: 'nothing' } : { kind: 'offer', opens_at };
    expect(decidePlacementStep(createLatest(state, '2026-02-01'), facts, now)).toEqual(toStep(corrected));
    const left = { ...facts, left_at: addDays(1) };
    expect(decidePlacementStep(createLatest(state), left, now)).toEqual(toStep(ended));
  });
});

it('an offer beyond the limit waits until the oldest that counts is a day old', () => {
  expect(() => checkOfferTime('E1 Explorer', undefined, now)).not.toThrow();
  expect(() => checkOfferTime('E1 Explorer', addDays(-1), now)).not.toThrow();
  expect(() => checkOfferTime('E1 Explorer', addDays(-0.5), now)).toThrow('25 offers in 24 hours');
});
