-- What a program of an organisation notes on a match: its own id, and texts by name. Its member and other organisations never read it.
create table match_references (
  job_id uuid not null,
  match_id uuid not null,
  external_ref text check (char_length(external_ref) between 1 and 200),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  primary key (job_id, match_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);
create index match_references_by_ref on match_references (job_id, external_ref) where external_ref is not null;

-- The same on a credential for which an organisation vouches. A process of the version before writes offers without these columns.
alter table credential_offers
  add external_ref text check (char_length(external_ref) between 1 and 200),
  add metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object');
create index credential_offers_by_ref on credential_offers (org_id, external_ref) where external_ref is not null;
