import { createSeededRandom, drawBelow, type Random } from '@tessera/psychometrics/seeded-random';
import { year_days } from '../rules.ts';
import { yearJobs } from './year-jobs.ts';

/** A job by its place in {@link yearJobs}. */
type ForJob = { readonly job: number };

/** A member by the number in the email address. */
type ForMember = ForJob & { readonly member: number };

/** The acts of each kind. */
type ActOf<Kind extends string, Fields> = Kind extends string
  ? { readonly kind: Kind; readonly day: number } & Fields
  : never;

/** What an organisation or a member does, on a day of the year counted from 0. */
export type Act =
  | ActOf<'openJob' | 'closeJob', ForJob>
  // The organisation goes through the members in this order.
  | ActOf<'reviewList' | 'hire', ForJob & { readonly order: readonly number[] }>
  | ActOf<'invite' | 'acceptInvitation' | 'accept' | 'decline', ForMember>
  | ActOf<'requestReview' | 'upholdDecision' | 'changeDecision', ForMember>
  | ActOf<'acceptCredential' | 'declineCredential' | 'disputeCredential', ForMember>
  | ActOf<'extend' | 'leave', ForMember>
  | ActOf<'correctPlacement', ForMember & { readonly placed_day: number }>
  | ActOf<'giveFeedback', ForMember & FeedbackFields>
  | ActOf<'buyRead', ForMember & { readonly data_type: 'archetype' | 'trait_profile' }>
  | ActOf<'refundRead', ForMember>
  | ActOf<'requestPayout', { readonly member: number }>;

type FeedbackFields = {
  readonly by: 'member' | 'organisation';
  readonly stage_days: 30 | 90 | 180;
  readonly overall_rating: number;
};

/**
 * Draws a year: who does what on which day, in the order of the days. The same seed gives the same year. An act that turns out to be impossible is left
 * out when the year is played: a member who is not asked cannot accept. All days are the first of a week, so that the clock stops for acts
 * once a week.
 *
 * @param member_count How many of the made-up members have accounts.
 */
export function planYear(seed: number, member_count: number): readonly Act[] {
  const random = createSeededRandom(seed);
  const members = Array.from({ length: member_count }, (_, index) => index + 1);
  const ofJobs = yearJobs.flatMap((_, job) => {
    const opens = 28 * job;
    const order = shuffle(random, members);
    const ofMembers = members.flatMap((member) => planMember(random, { job, member, opens }));
    return [...planJob({ job, order, opens }), ...ofMembers];
  });
  const payouts = [91, 182, 273, 357].flatMap((day) =>
    members.map((member): Act => ({ day, kind: 'requestPayout', member })),
  );
  return [...ofJobs, ...payouts]
    .filter(({ day }) => day < year_days)
    .sort((one, other) => one.day - other.day);
}

function planJob({
  job,
  order,
  opens,
}: ForJob & { readonly order: readonly number[]; readonly opens: number }): Act[] {
  const invited = { job, member: order[0]! };
  return [
    { day: opens, kind: 'openJob', job },
    { day: opens, kind: 'invite', ...invited },
    { day: opens + 7, kind: 'acceptInvitation', ...invited },
    { day: opens + 7, kind: 'reviewList', job, order },
    { day: opens + hired_after, kind: 'hire', job, order },
    { day: opens + hired_after, kind: 'closeJob', job },
  ];
}

/** After how many days of a job one of those who have accepted is hired. */
const hired_after = 35;

type Planned = ForMember & { readonly opens: number };

/** Everything that may become of a member and a job. What does not apply is left out later, so that each member draws as often as any other. */
function planMember(random: Random, planned: Planned): readonly Act[] {
  return [...planDecisions(random, planned), ...planPlacement(random, planned)];
}

function planDecisions(random: Random, { opens, ...who }: Planned): readonly Act[] {
  const answers_at = opens + (draw(random, 0.5) ? 14 : 21);
  const answer = pickByShare(random, { accept: 0.6, decline: 0.25 });
  const outcome = draw(random, 0.5) ? 'changeDecision' : 'upholdDecision';
  const doesAskForReview = draw(random, 0.5);
  const reads = (['trait_profile', 'archetype'] as const).filter(() => draw(random, 0.7));
  const isRefunded = draw(random, 0.1);
  return [
    ...reads.map((data_type): Act => ({ day: opens + 7, kind: 'buyRead', data_type, ...who })),
    ...listIf(isRefunded, { day: opens + 7, kind: 'refundRead', ...who }),
    ...listIf(answer !== undefined, { day: answers_at, kind: answer!, ...who }),
    ...listIf(doesAskForReview, { day: opens + 14, kind: 'requestReview', ...who }),
    ...listIf(doesAskForReview, { day: opens + 21, kind: outcome, ...who }),
    // Who is asked after a review accepts.
    ...listIf(doesAskForReview, { day: opens + 28, kind: 'accept', ...who }),
  ];
}

function planPlacement(random: Random, { opens, ...who }: Planned): readonly Act[] {
  const placed = opens + hired_after;
  const [disputes, declines] = [draw(random, 0.35), draw(random, 0.1)];
  const end = pickByShare(random, { leave: 0.25, extend: 0.25 });
  const answer = declines ? 'declineCredential' : 'acceptCredential';
  // The credential of a placement is offered two weeks after it, and again after a correction, or when it has ended.
  return [
    { day: placed + 21, kind: disputes ? 'disputeCredential' : answer, ...who },
    ...listIf(disputes, { day: placed + 28, kind: 'correctPlacement', placed_day: placed + 7, ...who }),
    ...listIf(disputes, { day: placed + 49, kind: 'acceptCredential', ...who }),
    ...planFeedback(random, who, placed),
    ...listIf(end !== undefined, { day: placed + 112, kind: end!, ...who }),
    ...listIf(end === 'leave', { day: placed + 119, kind: 'acceptCredential', ...who }),
  ];
}

/** When each side answers: after the stage has opened, even after a correction by which the placement began a week later. */
const feedbackDays = [
  { stage_days: 30, member_after: 42, organisation_after: 49 },
  { stage_days: 90, member_after: 98, organisation_after: 105 },
  { stage_days: 180, member_after: 189, organisation_after: 196 },
] as const;

function planFeedback(random: Random, who: ForMember, placed: number): readonly Act[] {
  return feedbackDays.flatMap(({ stage_days, member_after, organisation_after }) =>
    (
      [
        ['member', member_after],
        ['organisation', organisation_after],
      ] as const
    ).flatMap(([by, after]) => {
      const [isGiven, overall_rating] = [draw(random, 0.8), 2 + drawBelow(random, 4)];
      const day = placed + after;
      return listIf(isGiven, { day, kind: 'giveFeedback', by, stage_days, overall_rating, ...who });
    }),
  );
}

function listIf(condition: boolean, act: Act): readonly Act[] {
  return condition ? [act] : [];
}

function draw(random: Random, share: number): boolean {
  return random() < share;
}

/** Picks one with the probability that is its share; undefined with what is left. */
function pickByShare<Name extends string>(
  random: Random,
  shares: Readonly<Record<Name, number>>,
): Name | undefined {
  let rest = random();
  return (Object.keys(shares) as Name[]).find((name) => (rest -= shares[name]) < 0);
}

/** Puts values into a random order. */
function shuffle<Value>(random: Random, values: readonly Value[]): readonly Value[] {
  const placed = values.map((value) => ({ value, place: random() }));
  return placed.sort((one, other) => one.place - other.place).map(({ value }) => value);
}
