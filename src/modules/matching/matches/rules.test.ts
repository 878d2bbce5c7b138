import { describe, expect, it } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { decideMove, isOpen, matchStatuses } from './rules.ts';

describe('a match', () => {
  const movers = ['organisation', 'member', 'service'] as const;

  /** All moves that docs/decisions/matching.md lists. */
  const allowedMoves = [
    'organisation: pending_review > org_interested',
    'organisation: pending_review > org_passed',
    'organisation: org_interested > org_passed',
    'organisation: org_interested > pending_review',
    'organisation: org_passed > pending_review',
    'organisation: member_accepted > placed',
    'organisation: member_accepted > closed',
    'member: org_interested > member_accepted',
    'member: org_interested > member_declined',
    ...['pending_review', 'org_interested', 'member_accepted'].flatMap((from) => [
      `service: ${from} > expired`,
      `service: ${from} > withdrawn`,
    ]),
  ];

  const allMoves = movers.flatMap((by) =>
    matchStatuses.flatMap((from) => matchStatuses.map((to) => ({ by, from, to }))),
  );
  const decide = ({ by, from, to }: (typeof allMoves)[number]) => {
    try {
      return decideMove(from, to, by);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.code;
    }
  };

  it('can make the moves of the diagram and no others', () => {
    const possible = allMoves.filter((each) => decide(each) === true);
    expect(new Set(possible.map(({ by, from, to }) => `${by}: ${from} > ${to}`))).toEqual(
      new Set(allowedMoves),
    );
  });

  it('does not move if the same party repeats a move', () => {
    const repeated = allMoves.filter((each) => decide(each) === false);
    expect(repeated.every(({ from, to }) => from === to)).toBe(true);
    expect(new Set(repeated.map(({ by, to }) => `${by}: ${to}`)).size).toBe(9);
  });

  it('cannot leave a final status, except that a pass is taken back', () => {
    const isFinal = ({ from, to }: (typeof allMoves)[number]) =>
      !isOpen(from) && from !== to && !(from === 'org_passed' && to === 'pending_review');
    const isTakenBackByOthers = ({ by, from }: (typeof allMoves)[number]) =>
      from === 'org_passed' && by !== 'organisation';
    for (const each of allMoves.filter((one) => isFinal(one) || isTakenBackByOthers(one)))
      expect(decide(each)).toBe('match_status_conflict');
    expect(matchStatuses.filter(isOpen)).toEqual(['pending_review', 'org_interested', 'member_accepted']);
  });
});
