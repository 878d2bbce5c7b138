-- About whom an organisation reads in detail: in one version of one job, once a year. The row stays when the match, the job or the organisation goes, because
-- another one would bring a second observation of the same person.
create table disclosed_standings (
  member_id uuid not null references members (id),
  org_id uuid not null,
  -- The registrable domains that the organisation had proven: of all organisations of a domain, one reads about a person.
  domains text[] not null,
  job_id uuid not null,
  version integer not null,
  disclosed_at timestamptz not null,
  primary key (member_id, org_id)
);

-- With the version of the text that the member has agreed to.
create or replace view granted_consents as
  select member_id, consent_type, version from consent_records as record
  where granted and not exists (
    select from consent_records as later
    where later.member_id = record.member_id and later.consent_type = record.consent_type and later.sequence > record.sequence);
