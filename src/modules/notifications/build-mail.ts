import { toPlainName } from '#modules/org-users';
import type { Mail } from '#platform/mail.ts';
import type { Services } from '#platform/platform.ts';
import type { PreparedNotice } from './prepare-notice.ts';
import type { NoticeKind } from './rules.ts';
import { buildUnsubscribeUrl } from './unsubscribe-token.ts';

const subjects: Readonly<Record<NoticeKind, string>> = {
  match_proposed: 'An organisation is interested in you',
  match_accepted: 'A member accepted your match',
  match_declined: 'A member declined your match',
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
  notices: readonly PreparedNotice[],
): Mail {
  const api = `${config.publicUrl}/api/v1`;
  const settings =
    notices[0]?.kind === 'match_proposed' ? 'members/me/notifications' : 'orgs/me/notifications';
  const text = `Hello,

${notices.map((notice) => describeNotice(api, notice)).join('\n\n')}

These are requests of the API, made as the user who receives this email. All of it is described at ${config.publicUrl}/docs
To choose which emails you get, and when: PUT ${api}/${settings}
`;
  const unsubscribe_url = buildUnsubscribeUrl(config.publicUrl, secrets, { user_id, scope });
  return { to: email, subject, text, ...(unsubscribe_url !== undefined && { unsubscribe_url }) };
}

function describeNotice(api: string, { kind, match_id, job_title, organisation }: PreparedNotice): string {
  const title = toPlainName(job_title);
  if (kind === 'match_proposed')
    return `An organisation with the name "${toPlainName(organisation)}" is interested in you for this job: ${title}
To read about the job, and what accepting would reveal: GET ${api}/matches/${match_id}/job
To accept or decline: POST ${api}/matches/${match_id}/response`;
  if (kind === 'match_accepted')
    return `A member accepted the match with this job: ${title}
To read how to reach the member: GET ${api}/matches/${match_id}/contact`;
  return `A member declined the match with this job: ${title}
To read the match: GET ${api}/matches/${match_id}`;
}
