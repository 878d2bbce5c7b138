import type { Mail } from '#platform/mail.ts';
import { renderMail, type MailPart } from '#platform/mail-template.ts';
import type { Services } from '#platform/platform.ts';
import type { PreparedNotice } from './prepare-notice.ts';
import type { NoticeKind } from './rules.ts';
import { buildUnsubscribeUrl } from './unsubscribe-token.ts';

const subjects: Readonly<Record<NoticeKind, string>> = {
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
  const { kind, email } = notice;
  return buildMail(services, { user_id, email, scope: kind }, subjects[kind], [notice]);
}

/** Builds the digest of a week. */
export function buildDigestMail(
  services: Pick<Services, 'config' | 'secrets'>,
  user_id: string,
  notices: readonly [PreparedNotice, ...PreparedNotice[]],
): Mail {
  const { email } = notices[0];
  return buildMail(services, { user_id, email, scope: 'all' }, 'Your matches of this week', notices);
}

type Recipient = {
  readonly user_id: string;
  readonly email: string;
  readonly scope: NoticeKind | 'all';
};

function buildMail(
  { config, secrets }: Pick<Services, 'config' | 'secrets'>,
  { user_id, email, scope }: Recipient,
  subject: string,
  notices: readonly [PreparedNotice, ...PreparedNotice[]],
): Mail {
  const { publicUrl } = config;
  const parts: readonly MailPart[] = [
    ...notices.flatMap((notice) => describeNotice(publicUrl, notice)),
    'You choose which emails you get, and when:',
    { link: `${publicUrl}/app/account/notifications`, label: 'Change my emails' },
  ];
  const mail = renderMail({ subject, name: notices[0].name, parts, publicUrl });
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
