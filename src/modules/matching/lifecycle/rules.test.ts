import { describe, expect, it } from 'vitest';
import type { Refusal } from '#lib/refusal.ts';
import { isOpen, matchStatuses, decideMove } from './rules.ts';

describe('a match moves', () => {
  const movers = ['organisation', 'member', 'service'] as const;

  /** Every way, as docs/decisions/0019-matches.md draws it. */
  const ways = [
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

  const tried = movers.flatMap((by) =>
    matchStatuses.flatMap((from) => matchStatuses.map((to) => ({ by, from, to }))),
  );
  const outcome = ({ by, from, to }: (typeof tried)[number]) => {
    try {
      return decideMove(from, to, by);
    } catch (error) {
      return (error as Refusal).code;
    }
  };

  it('on the ways that are drawn, and on no other', () => {
    const open = tried.filter((each) => outcome(each) === true);
    expect(new Set(open.map(({ by, from, to }) => `${by}: ${from} > ${to}`))).toEqual(new Set(ways));
  });

  it('not at all where the same hand has brought it there before', () => {
    const still = tried.filter((each) => outcome(each) === false);
    expect(still.every(({ from, to }) => from === to)).toBe(true);
    expect(new Set(still.map(({ by, to }) => `${by}: ${to}`)).size).toBe(8);
  });

  it('never out of an end', () => {
    for (const each of tried.filter(({ from, to }) => !isOpen(from) && from !== to))
      expect(outcome(each)).toBe('match_status_conflict');
    expect(matchStatuses.filter(isOpen)).toEqual(['pending_review', 'org_interested', 'member_accepted']);
  });
});
