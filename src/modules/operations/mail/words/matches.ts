import { formatMicros, type Micros } from '#lib/money.ts';
import { describeDomain } from './describe-domain.ts';
import type { MailPart } from '../render-mail.ts';
import type { MailText } from '../send-mail.ts';

const subjects = {
  match_proposed: 'An organisation is interested in you',
  match_accepted: 'A member accepted your match',
  match_declined: 'A member declined your match',
  feedback_open: 'How is the placement going?',
} as const;

/** What an email says about a match. */
export type MatchNotice = {
  readonly kind: keyof typeof subjects;
  readonly match_id: string;
  readonly job_id: string;
  /** For which side of the match the recipient reads it. */
  readonly side: 'member' | 'organisation';
  readonly job_title: string;
  readonly organisation: string;
  /** The domain that the organisation has proven to be its own. */
  readonly domain: string | null;
  /** How well the member fits the job, in a sentence to the member. */
  readonly fit: string;
};

/** What an email says about the reads of a time: those of the organisations that read most, and the sums of all. */
export type ReadWords = {
  readonly groups: readonly {
    readonly organisation_name: string;
    readonly data_type: keyof typeof categories;
    readonly read_count: number;
    readonly earned: Micros;
  }[];
  readonly read_count: number;
  readonly earned: Micros;
};

/** Builds the email about one match. */
export function buildMatchNotice(publicUrl: string, notice: MatchNotice): MailText {
  return addChoice(publicUrl, subjects[notice.kind], describeNotice(publicUrl, notice));
}

/** Builds the email about the matches of a week, about reads, or about both. */
export function buildDigest(
  publicUrl: string,
  notices: readonly MatchNotice[],
  reads: ReadWords | undefined,
): MailText {
  const parts = [
    ...notices.flatMap((notice) => describeNotice(publicUrl, notice)),
    ...(reads ? describeReads(publicUrl, reads) : []),
  ];
  return addChoice(publicUrl, selectSubject(notices.length > 0, reads !== undefined), parts);
}

function selectSubject(hasMatches: boolean, hasReads: boolean): string {
  if (!hasReads) return 'Your matches of this week';
  return hasMatches ? 'Your matches of this week, and who read your data' : 'Your data was read';
}

/** Adds where an email can be turned off. */
export function addChoice(publicUrl: string, subject: string, parts: readonly MailPart[]): MailText {
  return {
    subject,
    parts: [
      ...parts,
      'You choose which emails you get, and when:',
      { link: `${publicUrl}/app/account/notifications`, label: 'Change my emails' },
    ],
  };
}

/** A job of the week that fits a member, with how well in a sentence. */
export type FoundJob = { readonly job_title: string; readonly org_name: string; readonly fit: string };

/** Builds the weekly email about new jobs that fit. */
export function buildFoundMatches(publicUrl: string, jobs: readonly FoundJob[]): MailText {
  const [subject, lead] =
    jobs.length === 1
      ? ['A new job fits you', 'Since the last summary, this job has appeared among your matches:']
      : ['New jobs fit you', 'Since the last summary, these jobs have appeared among your matches:'];
  return addChoice(publicUrl, subject, [
    lead,
    ...jobs.flatMap(({ job_title, org_name, fit }) => [{ words: job_title }, 'at', { words: org_name }, fit]),
    'An organisation decides first whom to ask, and learns who you are only if you accept.',
    { link: `${publicUrl}/app/matches`, label: 'See my matches', look: 'button' as const },
  ]);
}

function describeNotice(publicUrl: string, notice: MatchNotice): readonly MailPart[] {
  const { kind, match_id, job_id, job_title, organisation, domain, fit } = notice;
  if (kind === 'feedback_open') return describeFeedback(publicUrl, notice);
  if (kind === 'match_proposed')
    return [
      'An organisation with the name',
      { words: organisation },
      describeDomain(domain),
      'is interested in you for this job:',
      { words: job_title },
      fit,
      'Read about the job and what accepting would reveal, and then accept or decline:',
      { link: `${publicUrl}/app/matches/${match_id}`, label: 'Read about the job', look: 'button' },
    ];
  if (kind === 'match_accepted')
    return [
      'A member accepted the match with this job:',
      { words: job_title },
      'You can now read how to reach the member:',
      {
        link: `${publicUrl}/app/jobs/${job_id}?status=member_accepted`,
        label: 'Reach the member',
        look: 'button',
      },
    ];
  return [
    'A member declined the match with this job:',
    { words: job_title },
    { link: `${publicUrl}/app/jobs/${job_id}`, label: 'Open the shortlist', look: 'button' },
  ];
}

function describeFeedback(
  publicUrl: string,
  { side, match_id, job_id, job_title, organisation }: MatchNotice,
): readonly MailPart[] {
  const shortlist = `/app/jobs/${job_id}?status=placed&match=${match_id}`;
  return [
    ...(side === 'member'
      ? ['You took this job some time ago:', { words: job_title }, 'at', { words: organisation }]
      : ['Some time ago you placed a member in this job:', { words: job_title }]),
    'How is it going? A few questions take two minutes. Both sides can read the answers. The service keeps them to find out which matches turn out well:',
    {
      link: `${publicUrl}${side === 'member' ? `/app/matches/${match_id}` : shortlist}`,
      label: 'Answer the questions',
      look: 'button',
    },
  ];
}

const categories = {
  archetype: 'your archetype',
  trait_profile: 'your trait profile',
  values_profile: 'your values profile',
  alignment: 'how well you fit their culture',
};

function describeReads(publicUrl: string, summary: ReadWords): readonly MailPart[] {
  const { groups, read_count, earned } = summary;
  const others = read_count - groups.reduce((sum, group) => sum + group.read_count, 0);
  return [
    read_count === 1
      ? 'An organisation has read data that you offer:'
      : `Organisations have made ${read_count} reads of the data that you offer:`,
    ...groups.flatMap((group) => [
      {
        words:
          group.organisation_name === '' ? 'An organisation that no longer exists' : group.organisation_name,
      },
      `${formatCount(group.read_count)} of ${categories[group.data_type]}: ${formatEarned(group.earned)}.`,
    ]),
    ...(others > 0 ? [`${formatCount(others)} by further organisations.`] : []),
    `All of it: ${formatEarned(earned)}. Organisations saw labels, and neither your name nor your address.`,
    { link: `${publicUrl}/app/income`, label: 'See who read what', look: 'button' },
  ];
}

function formatCount(count: number): string {
  return count === 1 ? 'One read' : `${count} reads`;
}

/** A free read earns nothing. */
function formatEarned(earned: Micros): string {
  return earned === 0n ? 'free' : `you earned ${formatMicros(earned)} US dollars`;
}
