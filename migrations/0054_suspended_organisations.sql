-- The operator suspends a whole organisation (docs/decisions/0037-suspended-organisations.md). Nothing is deleted: a statement that reads
-- something of an organisation leaves out what this view lists, so that the end of the suspension brings everything back.
alter table organisations add column suspended_at timestamptz;
create index organisations_suspended on organisations (suspended_at) where suspended_at is not null;

create view suspended_organisations as
  select id, suspended_at from organisations where suspended_at is not null;
