import { describe, expect, it } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { decideMove, isOpen, matchStatuses } from './rules.ts';

describe('a match', () => {
  const movers = ['organisation', 'member', 'service'] as const;

  /** All moves that docs/decisions/matching.md lists. */
  const allowedMoves = [
    'organisation: pending_review > org_interested',
    'organisation: pending_review > org_passed',
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
    expect(new Set(repeated.map(({ by, to }) => `${by}: ${to}`)).size).toBe(8);
  });

  it('cannot leave a final status', () => {
    for (const each of allMoves.filter(({ from, to }) => !isOpen(from) && from !== to))
      expect(decide(each)).toBe('match_status_conflict');
    expect(matchStatuses.filter(isOpen)).toEqual(['pending_review', 'org_interested', 'member_accepted']);
  });
});
