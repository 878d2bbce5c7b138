-- Members are emailed about reads of their data (docs/decisions/0059-rest-of-paid-reads.md).

alter table notification_settings add column data_read text not null default 'weekly'
  check (data_read in ('immediately', 'weekly', 'never'));

-- One row a member whose data was read. The email counts the reads themselves, so that a task that runs twice changes nothing.
create table read_notices (
  user_id uuid primary key references users (id) on delete cascade,
  member_id uuid not null,
  -- Reads until then have been reported, or the member did not want to know about them.
  reported_until timestamptz not null,
  -- The latest read that is known. It is later than `reported_until` if there is something to report.
  latest_at timestamptz not null,
  -- When to report; null if there is nothing to report.
  due_at timestamptz
);
create index read_notices_by_time on read_notices (due_at) where due_at is not null;
