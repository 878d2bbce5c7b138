import { early_report, smallest_cell, smallest_report } from './rules.ts';
import type { WaitingPeople } from './counting/store-people.ts';

/** The calendar year in UTC. */
export function buildPeriod(year: number): { readonly from: Date; readonly until: Date } {
  return { from: new Date(Date.UTC(year, 0)), until: new Date(Date.UTC(year + 1, 0)) };
}

/**
 * Says whether a report about a year can be published: after the end of the year, or earlier when a hundred people are in no report yet, of whom at least ten were chosen and ten not.
 *
 * A report counts only people who are in no report of the organisation, and is never counted again. So no two reports have anybody in common, and nothing about fewer people than each
 * of them has follows from subtracting one from another. The rule looks at numbers of all people, which the organisation knows from its own lists. A rule that waited until each group has grown by
 * ten would tell to which group the last newcomer belongs; here every group that a report shows consists of at least twenty new people.
 */
export function canPublish(year: number, { people, chosen }: WaitingPeople, now: Date): boolean {
  const { from, until } = buildPeriod(year);
  if (now >= until) return people >= smallest_report;
  return now >= from && people >= early_report && chosen >= smallest_cell && people - chosen >= smallest_cell;
}

/** Says when the next report about a year can be published, and what is missing. */
export function describeNext(year: number, { people, chosen }: WaitingPeople, now: Date): string {
  const waiting = `${people} ${people === 1 ? 'person who was' : 'people who were'} matched in ${year} ${people === 1 ? 'is' : 'are'} in no report yet`;
  if (canPublish(year, { people, chosen }, now))
    return `A report can be published now: ${waiting}. It counts them once, as they are then, and never again.`;
  if (now >= buildPeriod(year).until)
    return people === 0
      ? `There is no further report about ${year}: everybody who was matched in it is in a report.`
      : `There is no further report about ${year}: ${waiting}, and a report needs at least ${smallest_report}.`;
  return `The next report can be published when at least ${early_report} people who were matched in ${year} are in no report yet, of whom at least ${smallest_cell} were chosen and ${smallest_cell} were not; otherwise from 1 January ${year + 1} on. So far, ${waiting}, of whom ${chosen} ${chosen === 1 ? 'was' : 'were'} chosen.`;
}
