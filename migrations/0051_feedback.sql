-- What became of accepted matches, and what both sides say about it (docs/decisions/0061-outcomes-and-feedback.md).

-- The history of each match. The last row says what is true now.
create table match_outcomes (
  job_id uuid not null,
  match_id uuid not null,
  -- 1, 2, 3 … within a match.
  number smallint not null,
  id uuid not null,
  outcome text not null check (outcome in ('placed', 'not_placed', 'left', 'extended')),
  placed_at timestamptz,
  -- When the placement ended (left), or is planned to end (placed, extended); null for one without an end.
  ended_at timestamptz,
  reason text,
  recorded_at timestamptz not null,
  primary key (job_id, match_id, number),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade,
  check ((outcome = 'not_placed') = (placed_at is null)),
  check (outcome <> 'left' or ended_at is not null),
  check (ended_at >= placed_at)
);
create trigger match_outcomes_unchanged before update or truncate on match_outcomes
  for each statement execute function refuse_change();

-- One row for each side and stage.
create table match_feedback (
  job_id uuid not null,
  match_id uuid not null,
  stage_days smallint not null check (stage_days in (30, 90, 180)),
  respondent text not null check (respondent in ('member', 'organisation')),
  id uuid not null,
  overall_rating smallint not null check (overall_rating between 1 and 5),
  performance smallint check (performance between 1 and 5),
  belonging smallint check (belonging between 1 and 5),
  growth smallint check (growth between 1 and 5),
  would_repeat boolean,
  comment text,
  created_at timestamptz not null,
  primary key (job_id, match_id, stage_days, respondent),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);
create trigger match_feedback_unchanged before update or truncate on match_feedback
  for each statement execute function refuse_change();

-- The next stage of each placement that has not opened yet.
create table feedback_stages (
  job_id uuid not null,
  match_id uuid not null,
  stage_days smallint not null,
  opens_at timestamptz not null,
  primary key (job_id, match_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);
create index feedback_stages_by_time on feedback_stages (opens_at, job_id, match_id);

-- Whether, and how soon, a user is emailed that feedback is open.
alter table notification_settings add column feedback_open text not null default 'immediately'
  check (feedback_open in ('immediately', 'weekly', 'never'));
