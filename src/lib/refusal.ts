/**
 * Every expected "no" of the service: code → status → sentence. Codes are stable: clients branch on them. A status is chosen once,
 * here, by what the caller can do about it; `docs/decisions/0004-errors.md` gives the reasons.
 */
export const refusals = {
  // The request cannot be read.
  body_malformed: [400, 'The body is not valid JSON.'],
  cursor_invalid: [400, 'The cursor was not issued for this list and these filters.'],
  idempotency_key_malformed: [400, 'The Idempotency-Key must be 1 to 255 visible characters.'],
  request_malformed: [400, 'The request cannot be read.'],
  sso_response_malformed: [400, 'The SAML response cannot be read.'],

  // The caller is not known.
  authentication_required: [401, 'Sign in first: this needs a bearer access token.'],
  credentials_wrong: [401, 'The e-mail or the password is wrong.'],
  mfa_code_wrong: [401, 'The code is wrong, or was used before.'],
  mfa_ticket_invalid: [401, 'The MFA ticket is wrong, used up or expired: log in again.'],
  refresh_token_invalid: [401, 'The refresh token is missing, expired or revoked: log in again.'],
  sso_response_refused: [401, 'The SAML response does not prove who signs in.'],
  token_expired: [401, 'The access token has expired.'],
  token_invalid: [401, 'The access token is not valid.'],

  // The caller is known and may not.
  account_pending_deletion: [
    403,
    'This account is marked for deletion. To keep it, open the link in the mail that confirmed the deletion.',
  ],
  account_suspended: [403, 'This account is suspended.'],
  attestation_tier_not_allowed: [403, 'Members may issue self-attested credentials only.'],
  consent_level_too_low: [403, 'This needs consent level L2, selective, or above.'],
  consent_required: [403, 'The member has not consented to this.'],
  engagement_level_too_low: [403, 'This needs a higher engagement level.'],
  recent_authentication_required: [
    403,
    'This needs an authentication within the last 15 minutes. Call POST /auth/reauthenticate, then use the new access token.',
  ],
  organisation_tier_too_low: [403, 'This needs an organisation of tier E3 Operator or above.'],
  role_not_allowed: [403, 'Your role may not do this.'],
  sso_account_refused: [403, 'This e-mail address cannot sign in through this organisation.'],

  // There is no such thing, or it is not yours to know of.
  archetype_not_found: [404, 'There is no archetype before the assessment is complete.'],
  assessment_not_found: [404, 'There is no such assessment.'],
  credential_not_found: [404, 'There is no such credential.'],
  culture_profile_not_found: [404, 'There is no such version of the culture profile.'],
  culture_profile_not_ready: [404, 'Too few people have answered the culture questionnaire yet.'],
  data_export_not_found: [404, 'There is no such data export.'],
  job_not_found: [404, 'There is no such job.'],
  match_not_found: [404, 'There is no such match.'],
  member_not_found: [404, 'There is no such member.'],
  organisation_not_found: [404, 'There is no such organisation.'],
  route_not_found: [404, 'There is nothing at this path.'],
  sso_not_configured: [404, 'This organisation has no single sign-on.'],
  session_not_found: [404, 'There is no such session.'],
  status_list_not_found: [404, 'There is no such status list.'],
  task_not_found: [404, 'There is no such task.'],
  trait_vector_not_found: [404, 'There is no such trait vector.'],
  user_not_found: [404, 'There is no such user.'],
  method_not_allowed: [405, 'This path does not take this method.'],

  request_timeout: [408, 'The request took too long to arrive.'],

  // The state of things is against it.
  assessment_complete: [409, 'The assessment is already complete.'],
  credential_not_active: [409, 'The credential is revoked or expired.'],
  credentials_full: [409, 'The member has 500 active credentials: revoke one first.'],
  data_export_running: [409, 'The data export is still being made.'],
  email_already_verified: [409, 'The e-mail address is already confirmed.'],
  email_taken: [409, 'An account with this e-mail exists.'],
  idempotency_in_progress: [409, 'A request with this Idempotency-Key is still being answered.'],
  invitation_exists: [409, 'This address is invited already: send the mail again, or cancel it first.'],
  item_not_asked: [
    409,
    'This item is not the one being asked; POST /members/me/assessment shows which one is.',
  ],
  job_closed: [409, 'The job is closed.'],
  last_admin: [409, 'The last administrator of an organisation cannot be removed.'],
  match_status_conflict: [409, 'The match cannot go from its status to that one.'],
  member_not_deployed: [409, 'The member is not at engagement level 4, Deployed, and is not matched.'],
  mfa_already_enabled: [409, 'MFA is enabled already: disable it first.'],
  mfa_not_enabled: [409, 'MFA is not enabled.'],
  mfa_not_set_up: [409, 'Set MFA up first: POST /auth/mfa/setup gives the secret.'],
  organisation_full: [409, 'The organisation has 200 users, invitations included.'],
  cancellation_token_invalid: [
    410,
    'The link that cancels the deletion was used before or has expired, or the deletion is already cancelled.',
  ],
  invitation_token_invalid: [410, 'The invitation is used up, cancelled or has expired.'],
  reset_token_invalid: [410, 'The link to choose a password is used up or has expired.'],
  verification_token_invalid: [410, 'The verification link is used up or has expired.'],

  // The request can be read, and its content is refused.
  body_too_large: [413, 'The body is larger than 256 KiB.'],
  media_type_unsupported: [
    415,
    'The body is not of the media type that this takes, which is application/json for most.',
  ],
  body_too_deep: [422, 'The body nests deeper than 32 levels.'],
  claim_not_verified: [422, 'The service cannot vouch for this claim.'],
  field_invalid: [422, 'A field is not as it must be.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another request.'],
  option_out_of_range: [422, 'The option is not one of the item’s options.'],
  password_too_common: [422, 'The password is one of the most common ones.'],
  password_too_weak: [422, 'The password does not meet the rule.'],
  password_wrong: [422, 'The password is wrong.'],
  totp_code_wrong: [422, 'The code is not that of now, or was used before.'],
  trait_code_unknown: [422, 'The trait code is not one of MVP-20.'],
  trait_priorities_empty: [422, 'At least one trait priority must be above zero.'],

  // Later, or never.
  too_many_requests: [429, 'Too many requests: wait for the seconds in Retry-After.'],
  headers_too_large: [431, 'The headers of the request are too large.'],
  internal_error: [500, 'Something went wrong on our side.'],
  not_implemented: [501, 'This is specified and not built yet.'],
  database_unavailable: [503, 'The database is away for a moment: try again.'],
  overloaded: [503, 'Too much is asked at once: try again in a moment.'],
  shutting_down: [503, 'This server is stopping: try again.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

/** A stable error code: a key of {@link refusals}. */
export type RefusalCode = keyof typeof refusals;

/** One offending field: an RFC 6901 JSON pointer into the request, and what is wrong there. */
export type FieldError = { readonly pointer: string; readonly reason: string };

/** What a refusal may add to its sentence: a detail for humans, the offending fields, and response headers such as Retry-After. */
export type RefusalExtras = {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
};

/** An expected "no". Thrown by operations and by the platform; the door turns it into `application/problem+json`. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly extras: RefusalExtras;

  constructor(code: RefusalCode, extras: RefusalExtras = {}) {
    super(extras.detail ?? refusals[code][1]);
    this.name = 'Refusal';
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return refusals[this.code][0];
  }
}

/** A refusal that names one field: `fieldRefusal('field_invalid', '/salary_max', 'must not be below salary_min')`. */
export function createFieldRefusal(code: RefusalCode, pointer: string, reason: string): Refusal {
  return new Refusal(code, { detail: `${pointer}: ${reason}`, errors: [{ pointer, reason }] });
}
