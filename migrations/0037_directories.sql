-- directories

-- What the directory of an organisation says about a user, beside the account.
create table directory_users (
  user_id uuid primary key references users (id) on delete cascade,
  org_id uuid not null references organisations (id) on delete cascade,
  external_id text check (char_length(external_id) between 1 and 255),
  -- When the directory deactivated the account. It never lifts a suspension by the operator.
  deactivated_at timestamptz,
  changed_at timestamptz not null
);
create unique index directory_users_by_external_id on directory_users (org_id, external_id);

-- A page of a directory follows the one before it, however many users there are.
create index users_in_directory_order on users (org_id, created_at, id) where org_id is not null and removed_at is null;
create index users_deactivated_in_directory_order on users (org_id, created_at, id)
  where org_id is not null and removed_at is null and suspended_at is not null;
