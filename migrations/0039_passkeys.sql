-- Passkeys: credentials of WebAuthn, each on a device or in a password manager of its user (docs/decisions/0048-passkeys.md).
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- The id that the authenticator chose, and the public key in COSE form. Neither is a secret.
  credential_id bytea not null unique,
  public_key bytea not null,
  -- The authenticator's own count of signatures; 0 if it does not count. A count that goes back shows a copy.
  sign_count bigint not null,
  transports text[] not null,
  -- Whether a password manager keeps copies of it, so that it survives the loss of a device.
  synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, created_at);

-- Challenges that were answered. A challenge proves by its HMAC that this service made it, so only its use is stored.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_by_expiry on used_challenges (expires_at);
