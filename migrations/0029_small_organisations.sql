-- Profiles that organisations of fewer than five users declare, beside those that were measured. A declared one has no respondents.
alter table culture_profiles add column basis text not null default 'measured';
alter table culture_profiles drop constraint culture_profiles_respondents_check;
alter table culture_profiles add constraint culture_profiles_respondents_by_basis check (
  (basis = 'measured' and respondents >= 5) or (basis = 'declared' and respondents = 0));

-- Which kind of profile an alignment was computed from.
alter table read_alignments add column culture_basis text not null default 'measured' check (culture_basis in ('measured', 'declared'));

-- The answers of a respondent who has not sent them yet. Only the respondent reads them, and they go when they are sent, or with the user.
create table culture_drafts (
  user_id uuid primary key references users (id) on delete cascade,
  questionnaire_version text not null,
  -- Item and step of agreement; block and its statements in order.
  braving jsonb not null,
  cvf jsonb not null,
  saved_at timestamptz not null
);
create index culture_drafts_by_time on culture_drafts (saved_at);
