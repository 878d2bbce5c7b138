import type { MailText } from '../send-mail.ts';
import { describeDomain } from './describe-domain.ts';
import { addChoice } from './matches.ts';

/** A credential that an organisation has revoked, as far as an email says it. */
type Revoked = {
  readonly claims: {
    readonly organisation_name?: string | undefined;
    readonly organisation_domain?: string | undefined;
  };
  readonly reason: string | null;
  readonly credential_id: string | null;
};

/** The longest reason that an organisation can give. */
const reason_characters_max = 500;

/** Builds the email that an organisation has revoked a credential. It says nothing of what the credential states. */
export function buildRevocationMail(
  publicUrl: string,
  { claims: { organisation_name = '', organisation_domain }, reason, credential_id }: Revoked,
): MailText {
  return addChoice(publicUrl, 'A credential of yours was revoked', [
    'An organisation with the name',
    { words: organisation_name },
    `${describeDomain(organisation_domain ?? null)} has revoked a credential that you hold. The reason:`,
    { words: reason ?? '', characters_max: reason_characters_max },
    'From now on, anyone who checks the credential reads that it was revoked, and not why. What it said, and the reason, stay in your account.',
    { link: `${publicUrl}/app/credentials/${credential_id}`, label: 'See the credential', look: 'button' },
    'If you think that this is wrong, write to the organisation: only it can vouch for you again.',
  ]);
}
