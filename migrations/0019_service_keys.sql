-- service-keys

create table service_keys (
  id uuid primary key,
  org_id uuid not null references organisations (id) on delete cascade,
  -- The administrator for whom the key acts. It ends with the account.
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  permissions text[] not null,
  networks text[] not null,
  hint text not null,
  -- SHA-256 of the key, which has 240 random bits.
  key_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  -- The key before the last rotation, and until when it is accepted.
  previous_hash bytea unique,
  previous_until timestamptz
);
create index service_keys_by_organisation on service_keys (org_id, created_at desc, id desc);
create index service_keys_by_user on service_keys (user_id);
create index service_keys_by_expiry on service_keys (expires_at);
