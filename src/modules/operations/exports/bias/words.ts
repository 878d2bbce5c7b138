import type { BiasFlag } from './compare-groups.ts';
import {
  type BiasOutcome,
  intersection_joint,
  not_stated,
  other_groups,
  smallest_group,
  type BiasStage,
  type ReportAttribute,
} from './rules.ts';

/** What attributes are called in a report for people. */
export const attributeWords: Readonly<Record<ReportAttribute, string>> = {
  gender: 'Gender',
  age_band: 'Age',
  ethnicity: 'Ethnicity',
  disability: 'Disability',
  gender_ethnicity: 'Gender and ethnicity together',
};

/** What stages are called. */
export const stageWords: Readonly<Record<BiasStage | 'assessed', string>> = {
  assessed: 'Assessed, in the whole service',
  matched: 'Matched',
  rated_strong: 'Rated strong or exceptional',
  above_median: 'Rated above the median',
  org_interested: 'Organisation interested',
  member_accepted: 'Accepted by the member',
  placed: 'Placed',
};

/** What selections are called, by the stage that they lead to. */
export const selectionWords: Readonly<Record<BiasStage, string>> = {
  matched: 'Found for a job of the organisation, of all who were assessed',
  rated_strong: 'Rated strong or exceptional by the service, of those matched',
  above_median: 'Rated above the median tier by the service, of those matched',
  org_interested: 'Chosen by the organisation, of those matched',
  member_accepted: 'Accepted by the member, of those chosen',
  placed: 'Placed, of those matched',
};

const groupWords: Readonly<Record<string, string>> = {
  [not_stated]: 'Not stated',
  [other_groups]: 'Other groups',
  non_binary: 'Non-binary',
  under_25: 'Under 25',
  '65_and_over': '65 and over',
};

/** Formats the name of a group, such as `25_to_34`. */
export function formatGroup(group: string): string {
  if (group.includes(intersection_joint)) return group.split(intersection_joint).map(formatGroup).join(', ');
  const words = group.replaceAll('_', ' ');
  return groupWords[group] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export const flagWords: Readonly<Record<BiasFlag, string>> = {
  none: 'none',
  ratio_only: 'ratio below 4/5',
  significant: 'significant',
  insufficient: 'too few people',
};

/** What stands for a number that is not shown. */
export const hidden_words = 'not shown';

/** Why a comparison has no numbers. */
export const nothing_shown_words = `Not enough people have stated this: at least ${smallest_group} are needed in each of two groups.`;

export const approximate_words =
  'A number of this table is too small to be shown. Ratios, intervals and probabilities are approximate, and make the difference smaller than it is. The finding is exact.';

/** Why a selection has no numbers. */
export const left_out_words =
  'Left out, because it differs from another stage or rating, or in a group, by too few people.';

/** What a row says in which people of small groups may be counted. */
export const others_words = 'with small groups';

/** Instead of a number of people before a report is published. */
export const uncounted_words = 'counted when a report is published';

/** Why nothing is said about who was found. */
export const not_counted_words =
  'The members of the service have not been counted yet, or are fewer than fifty, so this report does not say who was found of all who were assessed.';

/** Formats a share as a percentage with one decimal. */
export function formatShare(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`;
}

/** What outcomes are called. */
export const outcomeWords: Readonly<Record<BiasOutcome, string>> = {
  placed: 'placed, of those who accepted',
  stayed: 'still there on day 180, of those placed',
  rated_well: 'rated 4 or better on average, of those with feedback',
};

/** What has become of a human review. */
export const reviewWords = {
  open: 'waiting for an answer',
  answered: 'answered',
  withdrawn: 'withdrawn by the member',
  ended: 'ended with the consent',
  upheld: 'the decision stayed',
  changed: 'decided otherwise',
} as const;

/** How a version of the policy came into use. */
export const useWords = {
  start: 'with the installation',
  promote: 'promoted',
  rollback: 'taken back to',
} as const;
