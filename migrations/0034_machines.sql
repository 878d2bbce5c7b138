-- A stream: a subscription whose events a program fetches, instead of an address to which they are sent. Its url is `stream:` and its name.
-- `opened_at` is when a program last opened it or fetched from it, to the minute.
alter table webhook_subscriptions add column opened_at timestamptz;
create unique index webhook_subscriptions_stream on webhook_subscriptions (org_id, url) where opened_at is not null;
create index webhook_subscriptions_opened on webhook_subscriptions (opened_at) where opened_at is not null;

-- A service key may be a public key (JWK) instead of a secret. Its program proves with the private key that it has it, and gets short tokens.
alter table service_keys alter column key_hash drop not null;
alter table service_keys add column public_key jsonb;
-- The public key before the last replacement, accepted until previous_until.
alter table service_keys add column previous_public_key jsonb;
alter table service_keys add check ((key_hash is null) <> (public_key is null));

create table service_tokens (
  token_hash bytea primary key,
  service_key_id uuid not null references service_keys (id) on delete cascade,
  -- The id of the assertion (jti) for which it was issued, hashed: no assertion gets a second token.
  assertion_hash bytea not null,
  ends_at timestamptz not null,
  unique (service_key_id, assertion_hash)
);
create index service_tokens_by_end on service_tokens (ends_at);
