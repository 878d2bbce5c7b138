import { formatMicros, type Micros } from '#lib/money.ts';
import type { Mail } from '#platform/mail.ts';
import { renderMail, type MailPart } from '#platform/mail-template.ts';
import type { Services } from '#platform/platform.ts';
import type { PreparedNotice } from './prepare-notice.ts';
import type { ReadReport } from './prepare-read-report.ts';
import type { MatchNoticeKind, NoticeKind } from './rules.ts';
import { buildUnsubscribeUrl } from './unsubscribe-token.ts';

const subjects: Readonly<Record<MatchNoticeKind, string>> = {
  match_proposed: 'An organisation is interested in you',
  match_accepted: 'A member accepted your match',
  match_declined: 'A member declined your match',
  feedback_open: 'How is the placement going?',
};

/** Builds the email about one match. */
export function buildMatchMail(
  services: Pick<Services, 'config' | 'secrets'>,
  user_id: string,
  notice: PreparedNotice,
): Mail {
  const { kind, email, name } = notice;
  const content = { subject: subjects[kind], parts: describeNotice(services.config.publicUrl, notice) };
  return buildMail(services, { user_id, email, name, scope: kind }, content);
}

/** What a digest says: about matches, about reads, or about both. */
export type Digest = {
  readonly notices: readonly PreparedNotice[];
  readonly reads: ReadReport | undefined;
};

/** Builds a digest; undefined if it would be empty. */
export function buildDigestMail(
  services: Pick<Services, 'config' | 'secrets'>,
  user_id: string,
  { notices, reads }: Digest,
): Mail | undefined {
  const recipient = reads ?? notices[0];
  if (!recipient) return undefined;
  const { email, name } = recipient;
  const { publicUrl } = services.config;
  const scope = notices.length === 0 ? 'data_read' : 'all';
  const parts = [
    ...notices.flatMap((notice) => describeNotice(publicUrl, notice)),
    ...(reads ? describeReads(publicUrl, reads) : []),
  ];
  return buildMail(
    services,
    { user_id, email, name, scope },
    { subject: selectSubject(notices, reads), parts },
  );
}

function selectSubject(notices: readonly PreparedNotice[], reads: ReadReport | undefined): string {
  if (!reads) return 'Your matches of this week';
  return notices.length === 0 ? 'Your data was read' : 'Your matches of this week, and who read your data';
}

type Recipient = {
  readonly user_id: string;
  readonly email: string;
  readonly name: string | undefined;
  readonly scope: NoticeKind | 'all';
};

function buildMail(
  { config, secrets }: Pick<Services, 'config' | 'secrets'>,
  { user_id, email, name, scope }: Recipient,
  content: { readonly subject: string; readonly parts: readonly MailPart[] },
): Mail {
  const { publicUrl } = config;
  const parts: readonly MailPart[] = [
    ...content.parts,
    'You choose which emails you get, and when:',
    { link: `${publicUrl}/app/account/notifications`, label: 'Change my emails' },
  ];
  const mail = renderMail({ subject: content.subject, name, parts, publicUrl });
  const unsubscribe_url = buildUnsubscribeUrl(publicUrl, secrets, { user_id, scope });
  return { to: email, ...mail, ...(unsubscribe_url !== undefined && { unsubscribe_url }) };
}

function describeNotice(publicUrl: string, notice: PreparedNotice): readonly MailPart[] {
  const { kind, match_id, job_id, job_title, organisation } = notice;
  if (kind === 'feedback_open') return describeFeedback(publicUrl, notice);
  if (kind === 'match_proposed')
    return [
      'An organisation with the name',
      { words: organisation },
      'is interested in you for this job:',
      { words: job_title },
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
  { side, match_id, job_id, job_title, organisation }: PreparedNotice,
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

function describeReads(publicUrl: string, { summary }: ReadReport): readonly MailPart[] {
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
