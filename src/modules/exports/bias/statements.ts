/** How the numbers of the report are computed, in the report itself. */
export const method: readonly string[] = [
  'Each person counts once, with the furthest stage that any of their matches with the organisation has reached, for matches made in the calendar year (UTC).',
  'Groups are what members have said about themselves with their consent, which no one else has stated or inferred. The matching never reads it.',
  'The selection rate of a group is the number of its people who were selected, divided by the number of its people in the stage before.',
  'The impact ratio is the rate of a group divided by the highest rate of the groups that are compared. A ratio below four fifths (80 %) is marked, as in 29 CFR 1607.4(D).',
  'The report counts ratings above the median as the scoring rate of NYC Local Law 144: the score of a person is their best tier, and those above the tier of the person in the middle are counted.',
  'Each group is tested against the one with the highest rate: Fisher’s exact test (two-sided), its mid-p value, and Holm’s adjustment of Fisher’s probabilities for the groups of a table. The interval is the 95 % interval of a ratio of rates by Katz. The minimum detectable ratio is the one that a test at 5 % would find in 80 % of cases.',
  'Significant means an adjusted probability below 5 %. Insufficient means that a ratio of four fifths would not be found with so few people, so that the table proves nothing in either direction.',
  'Groups with less than 2 % of all people are not compared, as 6 RCNY § 5-301 allows, and their numbers are shown if they are large enough.',
  'A number is not shown if fewer than ten people are behind it, or if it would follow from other numbers. People are counted again at most once a month, and only if the difference is not about a few people.',
];

/** What the numbers of the report do not say, in the report itself. */
export const limits: readonly string[] = [
  'A ratio below four fifths is a reason to look closer and no proof of discrimination; a ratio above it is no proof of fairness. Differences between small groups can be chance.',
  'People who have not stated an attribute are counted but not compared. They may differ from those who have.',
  'The report covers people who were matched. It does not compare them with those who were not, and does not compare single jobs, errors of measurement, or what became of people after a placement.',
  'A match that was withdrawn after its acceptance counts as one in which the organisation was interested.',
];
