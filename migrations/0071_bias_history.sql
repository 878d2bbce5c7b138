-- Every count that an organisation has seen stays, so that a new one can be compared with all of them (docs/decisions/0073-differences-of-reports.md).
-- `people` names nobody: it has the beginning of a hash of each member's random id, by how far the member had come, and no answer of a
-- self-identification. It is null for counts from before this migration.
alter table bias_releases add column number smallint not null default 1;
alter table bias_releases add column people jsonb;
alter table bias_releases drop constraint bias_releases_pkey;
alter table bias_releases add primary key (org_id, year, number);
