-- Members ask for a human review of a match, with a date by which the organisation answers (docs/decisions/0066-fairness-and-candidate-rights.md).

create table match_reviews (
  job_id uuid not null,
  match_id uuid not null,
  -- 1, 2, 3 within a match.
  number smallint not null,
  id uuid not null,
  org_id uuid not null,
  status text not null check (status in ('open', 'answered', 'withdrawn', 'ended')),
  -- What the member asks, in their own words.
  reason text,
  requested_at timestamptz not null,
  -- The end of the last day on which an answer is in time.
  due_at timestamptz not null,
  -- When the next reminder is sent; null if there is none.
  next_notice_at timestamptz,
  outcome text check (outcome in ('upheld', 'changed')),
  answer text,
  -- When it was answered or withdrawn, or ended with the consent of the member.
  closed_at timestamptz,
  primary key (job_id, match_id, number),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade,
  check ((status = 'open') = (closed_at is null)),
  check ((status = 'answered') = (outcome is not null)),
  check ((outcome is null) = (answer is null)),
  check (status = 'open' or next_notice_at is null)
);
-- A match has at most one open request.
create unique index match_reviews_open on match_reviews (job_id, match_id) where status = 'open';
create index match_reviews_by_org on match_reviews (org_id, due_at, id);
create index match_reviews_by_notice on match_reviews (next_notice_at, job_id, match_id) where next_notice_at is not null;
create index match_reviews_overdue on match_reviews (due_at, id) where status = 'open';

-- A match about which a review was asked for stays, even if a later computation no longer finds it.
alter table matches add column is_kept boolean not null default false;
