-- Emails about a member's own assessment. A process of the version before writes settings without these columns.
alter table notification_settings
  add results_ready text not null default 'immediately' check (results_ready in ('immediately', 'never')),
  add assessment_unfinished text not null default 'immediately' check (assessment_unfinished in ('immediately', 'never'));

-- What a member is to be emailed about their assessment, one row of each kind. A row whose email was sent stays: it says that the reminder is over.
create table member_notices (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('results_ready', 'assessment_unfinished')),
  member_id uuid not null,
  -- When what the email is about happened.
  happened_at timestamptz not null,
  due_at timestamptz not null,
  sent_at timestamptz,
  primary key (user_id, kind)
);
create index member_notices_due on member_notices (due_at) where sent_at is null;
