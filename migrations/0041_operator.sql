-- The operator finds people and organisations by the beginning of an address or a name, page by page (docs/decisions/0049-operator.md). The
-- collation "C" lets a search by beginning use the index, whatever the collation of the database is.
create index users_by_email_start on users ((email collate "C"));
create index users_by_name on users ((lower(display_name) collate "C"), id) where display_name is not null;
create index members_by_name on members ((lower(display_name) collate "C"), id);
create index organisations_by_name on organisations ((lower(name) collate "C"), id);

-- A suspension must leave one platform administrator, who are few among all users.
create index users_platform_admins on users (id) where role = 'platform_admin';

-- What each worker says about its match index, every ten seconds, for the operator. A worker that stops removes its row; one that was killed
-- leaves it for a day.
create table match_index_nodes (
  id uuid primary key,
  name text not null,
  readiness text not null check (readiness in ('building', 'behind', 'ready')),
  member_count bigint not null,
  bytes bigint not null,
  -- Null until the index is built.
  lag_seconds double precision,
  reported_at timestamptz not null default now()
);
