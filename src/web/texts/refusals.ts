import type { RefusalCode } from '#lib/refusals.ts';

/** What people read about refusals, where the sentence of the API speaks of requests. */
const refusals = {
  category_not_approved: 'The person has not approved this kind of data. Nothing was used.',
  consent_required: 'The person has not agreed to this.',
  job_closed: 'This job is not open at present.',
  candidate_declined: 'This person does not want to take part in the job.',
  candidate_emailed_today: 'This address got an email about the job within a day. Try again tomorrow.',
  candidate_invitation_closed: 'This invitation was answered before, or has ended.',
  candidate_invitation_not_found: 'This invitation does not exist, or was deleted since it ended.',
  mfa_not_enabled: 'MFA is off. Turn it on first, under Account.',
  payouts_unavailable: 'Payouts are not possible at present. Your income is kept.',
  payment_rail_unsupported: 'This service does not accept this kind of payment.',
  query_quota_spent: 'Your reads of today are used up. Try again tomorrow.',
  too_many_transactions: 'You have recorded as many transactions as are allowed for now. Try again later.',
  transaction_ended: 'This transaction is not pending any more.',
  transaction_pending:
    'You have offered this to the organisation at another price already. Take that back first, under Income.',
  payment_required: 'You have no free reads left. This read needs a payment.',
  wallet_signature_wrong:
    'This is not the signature of that wallet for that message. Sign the new message below.',
  wallet_challenge_invalid: 'That message has expired or was used. Sign the new message below.',
  wallet_bound: 'This wallet already belongs to an organisation.',
  wallets_full: 'Your organisation has 20 wallets, which is the maximum. Remove one first.',
  credentials_wrong: 'The email address or handle, or the password, is wrong.',
  organisation_name_taken:
    'The name of your organisation reads like that of this service, or of another organisation. Choose another one.',
  handle_taken: 'This handle is not available. Choose another one.',
  grants_full: 'You have 50 connected agents, which is the maximum. Disconnect one first.',
  email_missing: 'Add your email address first, under Account.',
  passkey_needed: 'This is your only way to log in. Add another passkey first.',
  mfa_code_wrong: 'The code is wrong or was already used. Wait for the next one in your app.',
  mfa_ticket_invalid: 'This took too long. Log in again.',
  totp_code_wrong: 'The code is wrong or was already used. Wait for the next one in your app.',
  passkey_wrong: 'This passkey is not known here. Choose another one, or log in with your password.',
  passkey_refused: 'That passkey was not accepted. Try again.',
  passkey_challenge_invalid: 'This took too long. Try again.',
  passkey_known: 'This passkey is already added.',
  passkeys_full: 'You have 20 passkeys, which is the maximum. Remove one first.',
  email_taken: 'An account with this email address already exists. Log in, or choose a new password.',
  mirror_expired: 'This was open for more than an hour. Begin again.',
  registration_link_invalid: 'This link is incomplete, or more than a day old. Ask for a new one.',
  mirror_link_invalid: 'This link is more than a day old. Answer the statements again to get a new one.',
  mirror_of_another: 'This link was sent to another address than that of your account.',
  volunteer_link_invalid: 'This link is too old, was used, or its answers were deleted.',
  password_too_common: 'This password is too common. Choose another one.',
  password_too_weak: 'This password is too weak.',
  password_wrong: 'The password is wrong.',
  too_many_requests: 'You have tried this many times. Wait a few minutes, then try again.',
  field_invalid: 'Check the marked fields.',
  account_pending_deletion:
    'This account is marked for deletion. To keep it, open the link in the email that confirmed the deletion.',
  email_not_verified: 'Verify your email address first: open the link that we have emailed to you.',
  precondition_failed:
    'Somebody has changed this in the meantime. Saving now replaces their changes with what is below. To see them first, open this page in another tab.',
  last_admin: 'The organisation needs an administrator. Make another user one first.',
  invitation_exists: 'This address is already invited.',
  trait_priorities_empty: 'Move at least one slider: a job that asks for nothing would fit everybody.',
  change_limit_reached: 'Your tier allows no more changes of requirements today. Try again tomorrow.',
  job_limit_reached: 'Your tier allows no more active jobs. Close one first.',
  review_not_open: 'This request is no longer open: it was answered or withdrawn, or the match has ended.',
  match_status_conflict:
    'An answer or another decision came first. Nothing was changed: the page shows how it stands.',
  account_suspended: 'This account is suspended. Ask the operator of this service.',
  organisation_suspended: 'Your organisation is suspended. Ask the operator of this service.',
  sso_response_malformed:
    'The answer of your organisation’s login could not be read. Log in again. If it happens again, ask the people who run that login.',
  sso_response_refused:
    'The answer of your organisation’s login did not prove who you are, or came too late. Log in again. If it happens again, ask the people who run that login.',
  sso_account_refused:
    'Another account here already has your email address. Log in with its password, or ask an administrator of your organisation.',
  sso_domain_unverified:
    'Your organisation has not yet proven that the domain of your email address is its own. Ask one of its administrators.',
  sso_provider_new:
    'Single sign-on of your organisation was set up or changed less than a day ago. Until a day has passed, administrators log in with a password or a passkey. Ask the operator of this service if no administrator has one.',
  sso_provider_unavailable:
    'The login of your organisation does not answer. Try again in a minute. If it happens again, ask the people who run that login.',
  sso_other_protocol:
    'The other kind of single sign-on is on. Turn it off first: your people log in by SAML or by OpenID Connect, never by both.',
  sso_not_configured: 'This organisation has not set up a login of its own. Log in with a password.',
  account_without_password: 'You log in through your organisation, so this account has no password.',
} as const satisfies Partial<Record<RefusalCode, string>>;

/** What is wrong with a field, by its name, for reasons that speak of formats. */
const reasons = {
  data_type: 'Choose what to read.',
  email: 'Enter an email address, such as ada@example.org.',
  code: 'Enter the six digits that your app shows.',
  website: 'Enter an address that begins with https://, such as https://harbour.example.',
  salary_min: 'Enter an amount in whole units, such as 80000.',
  salary_max: 'Enter an amount in whole units, such as 96000.',
  salary_currency: 'Enter the three letters of the currency, such as AUD.',
  years_experience_min: 'Enter a whole number of years.',
  years_experience: 'Enter a whole number of years.',
  content: 'Choose what the credential says.',
  expiry_days: 'Choose how long it is valid.',
} as const;

/** What reasons of the API that speak of characters and types mean to a person. */
const plainReasons = {
  'must contain at least one number above 0': 'choose at least one',
  'must contain text': 'has no text to read',
  'must have at most 200000 characters': 'is longer than 200,000 characters: paste the text of the job alone',
  'must contain a visible character and no NUL': 'needs at least one letter or number',
  'must be text without NUL': 'has a character that cannot be stored',
  'must not contain a NUL': 'has a character that cannot be stored',
  'must not contain a NUL or an unpaired surrogate': 'has a character that cannot be stored',
} as const;

export const refusalTexts = { refusals, reasons, plainReasons } as const;
