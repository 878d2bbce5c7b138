-- The operator suspends a whole organisation (docs/decisions/0037-suspended-organisations.md). Nothing is deleted: a statement that reads
-- something of an organisation leaves out what this view lists, so that the end of the suspension brings everything back.
alter table organisations add column suspended_at timestamptz;
create index organisations_suspended on organisations (suspended_at) where suspended_at is not null;

create view suspended_organisations as
  select id, suspended_at from organisations where suspended_at is not null;

-- As before. A user of a suspended organisation is suspended, so that nobody gets an email for it or is named as its contact.
create or replace view org_users as
  select id, org_id, email, role,
    coalesce(suspended_at, (select suspended_at from suspended_organisations where suspended_organisations.id = org_id)) as suspended_at,
    created_at, last_login, display_name, email_verified_at
  from users where org_id is not null and removed_at is null;
