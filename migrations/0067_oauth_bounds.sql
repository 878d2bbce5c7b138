-- Bounds of what the authorization server remembers (docs/decisions/0060-oauth.md).

-- The account of a user of an organisation who was removed is deleted later, with what its agents had.
alter table oauth_artifacts drop constraint oauth_artifacts_user_id_fkey;
alter table oauth_artifacts
  add constraint oauth_artifacts_user_id_fkey foreign key (user_id) references users (id) on delete cascade;

-- Assertions of clients that were used: none is accepted twice.
alter table oauth_artifacts drop constraint oauth_artifacts_kind_check;
alter table oauth_artifacts add constraint oauth_artifacts_kind_check
  check (kind in ('AuthorizationCode', 'Grant', 'Interaction', 'RefreshToken', 'ReplayDetection'));

-- How many tokens a grant got lately is counted with each refresh.
drop index oauth_artifacts_by_grant;
create index oauth_artifacts_by_grant on oauth_artifacts (grant_id, created_at) where grant_id is not null;

-- The oldest of the clients that nobody has used make room for new ones.
create index oauth_clients_unused on oauth_clients (created_at) where used_at is null;
