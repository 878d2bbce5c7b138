-- Sensitive changes need a recent authentication, and a deletion can be undone.

-- When the user last proved who they are in this session, by POST /auth/reauthenticate. Null: when the session started.
alter table sessions add column authenticated_at timestamptz;

-- The mail that confirms a deletion has a token that cancels it, valid until the erasure.
alter table mailed_tokens drop constraint mailed_tokens_purpose_check;
alter table mailed_tokens add constraint mailed_tokens_purpose_check
  check (purpose in ('verify_email', 'reset_password', 'cancel_deletion'));
