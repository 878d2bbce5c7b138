-- The second factor, and what keeps guessing slow.

-- Counts up whenever the way in changes: another password, a second factor more or less. A login that began before it ends in nothing.
alter table users add column access_version integer not null default 0;

create table authenticators (
  user_id uuid primary key references users (id),
  -- The TOTP secret under the master key, bound to its user.
  secret_sealed bytea not null,
  created_at timestamptz not null,
  -- Null until a first code shows that the app has the secret.
  enabled_at timestamptz,
  -- The 30-second step of the last code that was taken: no code of it, or of one before, is taken again.
  last_step bigint not null default 0
);

create table recovery_codes (
  -- An HMAC under the master key: 50 bits alone could be tried through by whoever reads a backup.
  code_hash bytea primary key,
  user_id uuid not null references users (id),
  used_at timestamptz
);
create index recovery_codes_by_user on recovery_codes (user_id);

create table mfa_tickets (
  -- SHA-256 of a 256-bit random ticket.
  ticket_hash bytea primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  failures integer not null default 0
);
create index mfa_tickets_by_user on mfa_tickets (user_id);
create index mfa_tickets_by_expiry on mfa_tickets (expires_at);

-- How many wrong guesses are left, for an account, for a network, and for an account seen from a network.
create table guess_allowances (
  -- An HMAC: an address that somebody tried, and where from, is nobody's to read.
  key_hash bytea primary key,
  guesses_left integer not null,
  ends_at timestamptz not null
);
create index guess_allowances_by_end on guess_allowances (ends_at);

create index mailed_tokens_unused on mailed_tokens (user_id) where purpose = 'reset_password' and used_at is null;
