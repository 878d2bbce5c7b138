-- Who is emailed about matches, and when (docs/decisions/0042-contact.md).

-- Users who want to know what becomes of a job's matches. The creator of a job follows it. The audit log says who created the jobs of today.
create table job_followers (
  job_id uuid not null references jobs (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (job_id, user_id)
);
create index job_followers_by_user on job_followers (user_id);
insert into job_followers (job_id, user_id)
select distinct jobs.id, users.id from audit_log
  join jobs on jobs.id::text = detail->>'job_id' join users on users.id = actor_user_id and users.org_id = jobs.org_id
where action = 'jobs.created';

-- What users have chosen; a user without a row has the defaults (src/modules/operations/notifications/rules.ts).
create table notification_settings (
  user_id uuid primary key references users (id) on delete cascade,
  match_proposed text not null check (match_proposed in ('immediately', 'weekly', 'never')),
  match_accepted text not null check (match_accepted in ('immediately', 'weekly', 'never')),
  match_declined text not null check (match_declined in ('immediately', 'weekly', 'never')),
  updated_at timestamptz not null
);

-- What the next digest of a user says.
create table waiting_notices (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  match_id uuid not null,
  due_at timestamptz not null,
  primary key (user_id, kind, match_id)
);
create index waiting_notices_by_time on waiting_notices (due_at);
