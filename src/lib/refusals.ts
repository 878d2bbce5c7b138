import { conflicts } from './conflicts.ts';

/**
 * All refusals of the service: code, HTTP status and sentence. Codes are stable, because clients branch on them. The status follows from what
 * the caller can do next; `docs/decisions/http-and-api.md` gives the reasons.
 */
export const refusals = {
  // The request cannot be read.
  authorization_request_invalid: [400, 'The authorization request of the application cannot be accepted.'],
  body_missing: [400, 'This request replaces a resource and needs a JSON body.'],
  body_malformed: [400, 'The body is not valid JSON.'],
  cursor_invalid: [
    400,
    'The cursor does not belong to this list with these filters. Start again without a cursor.',
  ],
  header_repeated: [400, 'A header that may occur only once in a request occurs twice.'],
  idempotency_key_malformed: [400, 'The Idempotency-Key must have 1 to 255 visible ASCII characters.'],
  malformed_payment: [400, 'The payment in the request cannot be read.'],
  request_malformed: [400, 'The request cannot be read.'],
  directory_filter_refused: [400, 'The filter is not one that this service supports.'],
  directory_patch_refused: [400, 'The PATCH is not one of SCIM.'],
  directory_path_refused: [400, 'The path of a PATCH names no attribute of a user.'],
  directory_value_fixed: [400, 'A directory cannot change this value.'],
  sso_response_malformed: [400, 'The SAML response cannot be read.'],

  // The caller is unknown.
  authentication_required: [401, 'This request needs a bearer access token. Log in first.'],
  credentials_wrong: [401, 'The email address or the password is wrong.'],
  mfa_code_wrong: [401, 'The code is wrong or has already been used.'],
  mfa_ticket_invalid: [401, 'The MFA ticket is invalid, used or expired. Log in again.'],
  passkey_wrong: [401, 'The passkey does not prove who is logging in.'],
  refresh_token_invalid: [401, 'The refresh token is missing, expired or revoked. Log in again.'],
  sso_response_refused: [401, 'The answer of the identity provider does not prove who is logging in.'],
  token_expired: [401, 'The access token has expired. Refresh it or log in again.'],
  token_invalid: [401, 'The access token is not valid. Log in again.'],

  // The price is not paid.
  payment_required: [402, 'This read has a price, and the request has no payment.'],
  payment_balance_too_low: [
    402,
    'The prepaid balance of your organisation is below the price. Announce a transfer with POST /orgs/me/balance, or pay by another rail.',
  ],
  payment_expired: [402, 'The payment is no longer valid. Sign a new one.'],
  payment_failed: [402, 'The payment was not carried out, and no money was taken for it.'],
  payment_funds_insufficient: [402, 'The wallet does not have enough of the token.'],
  payment_not_found: [402, 'The chain has no such transaction, or it failed.'],
  payment_not_yet_valid: [402, 'The payment is not valid yet.'],
  payment_overpaid: [402, 'The payment is above the highest price of a read.'],
  payment_rail_unsupported: [
    402,
    'This service does not accept this kind of payment. The operator chooses with TESSERA_PAYMENT_RAIL.',
  ],
  payment_scheme_unsupported: [402, 'This service accepts only the scheme exact with ERC-3009.'],
  payment_signature_invalid: [402, 'The signature of the payment is wrong.'],
  payment_timestamp_skewed: [402, 'The timestamp of the payment is more than 60 seconds from now.'],
  payment_too_old: [402, 'The transaction is too old to pay for this request.'],
  payment_unconfirmed: [402, 'The transaction does not have enough confirmations yet.'],
  payment_underpaid: [402, 'The payment is below the price.'],
  payment_wallet_foreign: [402, 'Your organisation has not added this wallet with POST /orgs/me/wallets.'],
  payment_wrong_asset: [402, 'The payment is not in the token that this service accepts.'],
  payment_wrong_network: [402, 'The payment is on another chain than the one that this service accepts.'],
  payment_wrong_payee: [402, 'The payment does not go to this service.'],

  // The caller is known, but not permitted.
  account_pending_deletion: [
    403,
    'This account is marked for deletion. To keep it, open the link in the email that confirmed the deletion.',
  ],
  account_suspended: [403, 'This account is suspended. The operator of this service can end the suspension.'],
  attestation_tier_not_allowed: [403, 'Members may issue only self-attested credentials.'],
  category_not_approved: [403, 'The member has not approved this category of identity data.'],
  consent_level_too_low: [
    403,
    'This requires consent level L2 (selective) or higher. Consent to identity_queries first, with POST /members/me/consent.',
  ],
  consent_required: [
    403,
    'The member has not consented to this. Only the member can, with POST /members/me/consent.',
  ],
  consent_withdrawn: [
    403,
    'The member withdrew consent while the payment was settled. Nothing was read, and the amount is owed back to its payer.',
  ],
  email_not_verified: [
    403,
    'This requires a verified email address. Follow the link that was emailed to it, or request a new one with POST /auth/resend-verification.',
  ],
  engagement_level_too_low: [
    403,
    'This requires a higher engagement level. GET /members/me/engagement lists what is missing.',
  ],
  mirror_of_another: [403, 'This link was emailed to the address of another account.'],
  not_a_party: [403, 'Only the organisation and the member of a transaction may record it.'],
  organisation_suspended: [
    403,
    'This organisation is suspended. The operator of this service can end the suspension.',
  ],
  organisation_tier_too_low: [
    403,
    'This requires an organisation of tier E3 Operator or higher. The operator of this service sets the tier.',
  ],
  origin_not_allowed: [
    403,
    'The refresh cookie is accepted only from pages of this service. The Origin header names another site.',
  ],
  recent_authentication_required: [
    403,
    'This requires an authentication within the last 15 minutes. Call POST /auth/reauthenticate and use the new access token.',
  ],
  proven_domain_required: [
    403,
    'Only an organisation with a proven domain can vouch for people. An administrator proves it at /app/sso, or the operator of this service attests it.',
  ],
  role_not_allowed: [403, 'Your role does not permit this.'],
  mfa_required: [
    403,
    'Platform administrators need MFA. Enable it with POST /auth/mfa/setup and /auth/mfa/verify, or confirm by a code or a passkey with POST /auth/reauthenticate, and use the new access token.',
  ],
  row_not_permitted: [403, 'The service key is not permitted this row of the API.'],
  network_not_allowed: [
    403,
    'The networks of this service key, or TESSERA_OPERATOR_NETWORKS for administrators of the service, do not include this address.',
  ],
  host_not_allowed: [
    403,
    'The Host header names another site than this service. Use the address of TESSERA_PUBLIC_URL.',
  ],
  page_not_allowed: [403, 'The Origin header names a site whose pages may not call this endpoint.'],
  scope_insufficient: [
    403,
    'The access token does not have the scope of this tool. Ask the person for the scopes in WWW-Authenticate.',
  ],
  tool_not_granted: [
    403,
    'The user has not allowed this agent the tool that this needs. The user decides at /app/agents.',
  ],
  service_key_required: [403, 'Only a service key may call this path, not a person.'],
  sso_account_refused: [
    403,
    'This email address cannot log in through this organisation. Log in with a password or a passkey, or ask an administrator of the organisation for an invitation.',
  ],
  sso_domain_unverified: [
    403,
    'The organisation must verify the domain of this address before single sign-on creates an account. An administrator does so at /app/sso.',
  ],
  sso_provider_new: [
    403,
    'A new or changed identity provider logs no administrator in for a day. Until then, administrators use a password or a passkey, or ask the operator.',
  ],

  // The object does not exist, or the caller may not know that it exists.
  authorization_request_not_found: [
    404,
    'This authorization request has expired, was decided, or was started by another browser. Start again in the application.',
  ],
  archetype_not_found: [
    404,
    'The archetype is available after the first stage of the assessment, which POST /members/me/assessment begins.',
  ],
  sandbox_not_found: [404, 'This service is not a sandbox, and its time is that of the world.'],
  finding_not_found: [404, 'This finding about statements was not found.'],
  calibration_not_found: [404, 'This version of the item parameters was not found.'],
  achievement_not_found: [404, 'The organisation has no such achievement that is not archived.'],
  assessment_not_found: [404, 'The assessment was not found.'],
  credential_not_found: [404, 'The credential was not found.'],
  credential_offer_not_found: [404, 'The offer of a credential was not found.'],
  candidate_invitation_not_found: [
    404,
    'The invitation to a job was not found. It may have been deleted since it ended.',
  ],
  partner_order_not_found: [404, 'The order of an applicant tracking system was not found.'],
  culture_profile_not_found: [404, 'This version of the culture profile was not found.'],
  culture_profile_not_ready: [404, 'Too few users have answered the culture questionnaire so far.'],
  failed_task_not_found: [404, 'The failed task was not found. It may have been tried again already.'],
  policy_not_found: [404, 'This version of the policy was not found.'],
  signing_key_not_found: [404, 'The signing key was not found.'],
  decision_not_found: [404, 'The decision was not found. It may have been undone or announced.'],
  data_export_not_found: [404, 'The data export was not found.'],
  domain_not_found: [404, 'The organisation does not claim this domain.'],
  grant_not_found: [404, 'The grant was not found.'],
  directory_group_not_found: [404, 'The directory has no such group.'],
  board_not_found: [404, 'The organisation does not follow this board.'],
  board_changes_not_found: [404, 'There is no such change of a followed board.'],
  job_not_found: [404, 'The job was not found.'],
  unsubscribe_token_invalid: [404, 'This link does not belong to an email of this service.'],
  match_not_found: [404, 'The match was not found.'],
  member_not_found: [404, 'The member was not found.'],
  payout_not_found: [404, 'The payout was not found.'],
  read_not_found: [404, 'The read was not found.'],
  passkey_not_found: [404, 'The passkey was not found.'],
  organisation_not_found: [404, 'The organisation was not found.'],
  route_not_found: [404, 'This path does not exist.'],
  sso_not_configured: [
    404,
    'This organisation has not configured single sign-on. An administrator does so with POST /orgs/{org_id}/sso/configure.',
  ],
  session_not_found: [404, 'The session was not found.'],
  stub_not_found: [404, 'No identity has this claim code.'],
  status_list_not_found: [404, 'The status list was not found.'],
  wallet_not_found: [404, 'The wallet was not found.'],
  tool_not_found: [404, 'This tool does not exist. The method tools/list returns those that do.'],
  task_not_found: [404, 'The task was not found.'],
  trait_vector_not_found: [
    404,
    'The trait vector was not found. The first follows the first stage of the assessment, which POST /members/me/assessment begins.',
  ],
  transaction_not_found: [404, 'The transaction was not found.'],
  user_not_found: [404, 'The user was not found.'],
  volunteer_not_found: [404, 'This test was not found. Its answers may have been deleted.'],
  webhook_delivery_not_found: [404, 'The delivery was not found.'],
  service_key_not_found: [404, 'There is no service key with this id.'],
  view_not_found: [404, 'The saved view was not found.'],
  webhook_not_found: [404, 'The webhook subscription was not found.'],
  method_not_allowed: [
    405,
    'This path does not support this method. The Allow header lists those that it supports.',
  ],

  request_timeout: [408, 'The request took too long to arrive.'],

  // The current state does not allow it.
  ...conflicts,

  // The request can be read, but its content is refused.
  body_too_large: [413, 'The body is larger than 256 KiB.'],
  media_type_unsupported: [
    415,
    'The media type of the body is not supported here. Most endpoints accept only application/json.',
  ],
  body_too_deep: [422, 'The body is nested deeper than 32 levels.'],
  claim_not_verified: [422, 'The service cannot verify this claim.'],
  field_invalid: [422, 'A field has an invalid value.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was already used with a different request.'],
  option_out_of_range: [422, 'The option is not one of the item’s options.'],
  payout_below_minimum: [422, 'The amount is below the smallest payout of this service.'],
  passkey_refused: [422, 'The passkey is not one that this service accepts from this user.'],
  password_too_common: [422, 'The password is too common. Choose another one.'],
  password_too_weak: [422, 'The password does not meet the requirements.'],
  password_wrong: [422, 'The password is wrong.'],
  table_faulty: [422, 'The table has faults, and nothing was done.'],
  totp_code_wrong: [422, 'The code is wrong or has already been used.'],
  trait_code_unknown: [422, 'The trait code is not one of the MVP-20 codes.'],
  trait_priorities_empty: [422, 'At least one trait priority must be above zero.'],
  wallet_signature_wrong: [422, 'The signature is not that of the wallet for this challenge.'],

  // The request may succeed later, or the endpoint is not built.
  change_limit_reached: [
    429,
    'The tier of the organisation does not allow more changes of requirements in 24 hours. Wait for the number of seconds in Retry-After.',
  ],
  candidate_emailed_today: [
    429,
    'This address got an email about the job within 24 hours. Wait for the number of seconds in Retry-After.',
  ],
  offer_limit_reached: [
    429,
    'The tier of the organisation does not allow more offers of credentials in 24 hours. Wait for the number of seconds in Retry-After.',
  ],
  query_quota_spent: [
    429,
    'The tier of the organisation does not allow more reads of identity data today. Wait for the number of seconds in Retry-After.',
  ],
  too_many_exports: [429, 'You have two downloads in progress. Wait until one of them has ended.'],
  too_many_requests: [429, 'Too many requests. Wait for the number of seconds in Retry-After.'],
  headers_too_large: [431, 'The request headers are too large.'],
  internal_error: [500, 'An internal error occurred. Send the request_id to the operator of this service.'],
  chain_unavailable: [
    503,
    'The chain on which payments are made does not answer. Nothing was taken. Send the same payment again after the seconds in Retry-After.',
  ],
  database_unavailable: [503, 'The database is temporarily unavailable. Try again.'],
  name_server_unavailable: [503, 'The name servers do not answer. Try again in a minute.'],
  sso_provider_unavailable: [
    503,
    'The identity provider does not answer as it should. Try again in a minute.',
  ],
  overloaded: [503, 'The service is overloaded. Try again in a moment.'],
  payment_unresolved: [
    503,
    'It is not known yet whether the payment succeeded. Send the same payment again after the seconds in Retry-After. Do not sign another one.',
  ],
  shutting_down: [503, 'This server is shutting down. Try again.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

/** A stable error code: a key of {@link refusals}. */
export type RefusalCode = keyof typeof refusals;
