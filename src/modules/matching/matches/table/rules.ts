import type { MatchStatus } from '../rules.ts';

/** Whose turn it is in a match. */
export const turns = ['organisation', 'member'] as const;
export type Turn = (typeof turns)[number];

const waitingStatuses: Readonly<Record<Turn, readonly MatchStatus[]>> = {
  organisation: ['pending_review', 'member_accepted'],
  member: ['org_interested'],
};

/** Lists the statuses in which a match waits for a side. */
export function listWaitingStatuses(turn: Turn): readonly MatchStatus[] {
  return waitingStatuses[turn];
}

/** Finds for whom a match waits; null if nobody has to do anything. */
export function findTurn(status: MatchStatus): Turn | null {
  return turns.find((turn) => waitingStatuses[turn].includes(status)) ?? null;
}

/** The orders of a table. Each is visible in the words of the table; among equal ones, the order of the lists remains. */
export const tableSorts = ['fit', 'asked', 'new', 'waiting', 'labels'] as const;

/** So many people are sorted by words; of more, those who follow in the order of the lists are left out. A computation finds at most a thousand. */
export const sorted_max = 5_000;

/** So many views an organisation can save. */
export const views_max = 20;
