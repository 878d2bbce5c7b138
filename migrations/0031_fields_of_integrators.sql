-- What a program of the organisation notes on a job, and when the job was changed last. A process of the version before writes jobs without these columns.
alter table jobs
  add external_ref text check (char_length(external_ref) between 1 and 200),
  add metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  add updated_at timestamptz not null default now();
create index jobs_by_external_ref on jobs (org_id, external_ref) where external_ref is not null;
create index jobs_by_update on jobs (org_id, updated_at);
