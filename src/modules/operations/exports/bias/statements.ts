export const purpose =
  'Input of an audit. This is not the independent audit that some laws ask for, because the service has counted and computed it itself.';

/** How the numbers of the report are computed, in the report itself. */
export const method: readonly string[] = [
  'Each person counts once, with the furthest stage that any of their matches with the organisation has reached, for matches made in the calendar year (UTC).',
  'Groups are what members have said about themselves with their consent, which no one else has stated or inferred. The matching never reads it.',
  'The selection rate of a group is the number of its people who were selected, divided by the number of its people in the stage before.',
  'All members who were assessed and can be found are counted at most once a month for all organisations, and rounded to tens. From these numbers follows how many of a group were found.',
  'The impact ratio is the rate of a group divided by the highest rate of the groups that are compared. A ratio below four fifths (80 %) is marked, as in 29 CFR 1607.4(D).',
  'The report counts ratings above the median as the scoring rate of NYC Local Law 144: the score of a person is their best tier, and those above the tier of the person in the middle are counted.',
  'Each group is tested against the one with the highest rate: Fisher’s exact test (two-sided), its mid-p value, and Holm’s adjustment of Fisher’s probabilities for the groups of a table. The interval is the 95 % interval of a ratio of rates by Katz. The minimum detectable ratio is the one that a test at 5 % would find in 80 % of cases.',
  'Significant means an adjusted probability below 5 %. Insufficient means that a ratio of four fifths would not be found with so few people, so that the table proves nothing in either direction.',
  'Outcomes are compared with the rating of the match that they are about: who was placed of those who accepted, who was still there on day 180 of those placed, and whose mean rating in the feedback is 4 or more. The gap is the highest rate less the lowest (equalised odds, Hardt and others 2016).',
  'Questions of the assessment are compared between groups among people with the same measured trait: Mantel’s test (1963) and the standardised mean difference of Dorans and Schmitt (1991), classified as ETS does (Zwick, Thayer and Mazzeo 1997): moderate above 0.17 and large above 0.25 standard deviations, if significant at 5 %. Ordinal logistic regression must agree, and questions that differ are left out of the measure by which people are compared. A question needs 200 answers of each group and 500 in all.',
  'The traits behind a marked gap of ratings: the mean difference of each trait between the two groups, times the mean priority of the trait in the jobs of the organisation, as a part of all that widens the gap.',
  'Groups with less than 2 % of all people are not compared, as 6 RCNY § 5-301 allows, and their numbers are shown if they are large enough.',
  'A report is published once and never changes. It counts people who are in no report of the organisation before it, so no two reports have anybody in common, and nothing about a few people follows from comparing them. It can be published after the end of the year, or earlier when a hundred people are in no report yet, of whom at least ten were chosen and ten were not.',
  'Groups of fewer than twenty people are counted together, or with those who have not stated the attribute or with the largest group if they are fewer than twenty together. For gender and ethnicity together, ethnic groups are joined, the smallest first, until each group has twenty people. This depends on numbers of people alone, and not on what became of them.',
  'A number below ten is not shown, and neither is one that differs by less than ten from another one of its group, nor a further one in its table, from which it would follow. Ratios, intervals and probabilities of such a table are approximate: they follow from a number that is exactly ten away, and differences appear smaller than they are. Flags and marks below four fifths are exact. A stage or rating that differs from others by fewer than ten people in all is left out; so are a selection of combined groups and a table of outcomes with a number below ten.',
];

/** What the numbers of the report do not say, in the report itself. */
export const limits: readonly string[] = [
  'People are counted as they are on the day of the report. What becomes of them later is in no report, and a group that was counted with others shows nothing of its own.',
  'A ratio below four fifths is a reason to look closer and no proof of discrimination; a ratio above it is no proof of fairness. Differences between small groups can be chance.',
  'Chance has a part in which group has the highest rate, and the others are tested against it. With six groups of 200 people and no difference at all, about one table in twelve has a significant ratio, instead of one in twenty.',
  'People who have not stated an attribute are counted but not compared. They may differ from those who have.',
  'Who was found depends on the jobs of the organisation: on what they ask for, where they are, and whom they have room for. Single jobs are not compared.',
  'Outcomes are known only of people who were chosen, and ratings are opinions of those who gave them. Both can be unfair themselves.',
  'A group may differ in a trait, and not only in how it is measured. A difference of traits behind a gap does not say that the job needs the trait.',
  'A match that was withdrawn after its acceptance counts as one in which the organisation was interested.',
];
