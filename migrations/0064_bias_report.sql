-- What the bias report counts in one aggregate of the database (docs/decisions/0069-the-whole-bias-report.md).

-- How far each match has come. A match that has ended counts as far as is known: one that was withdrawn after the acceptance counts as one in which
-- the organisation was interested.
create view match_progress as
  select matches.job_id, matches.id as match_id, member_id, org_id, created_at,
    case match_quality when 'developing' then 0 when 'moderate' then 1 when 'strong' then 2 else 3 end as tier,
    case
      when match_status = 'placed' then 3
      when match_status in ('member_accepted', 'closed') or expired_from = 'member_accepted' then 2
      when match_status in ('org_interested', 'member_declined') or expired_from = 'org_interested'
        or (match_status = 'withdrawn' and match_contacts.match_id is not null) then 1
      else 0
    end as furthest
  from matches left join match_contacts on match_contacts.job_id = matches.job_id and match_contacts.match_id = matches.id;

-- What members have said about themselves. Only those count who still consent to statistics (granted_consents). The role that learning reads as
-- is not granted it.
create view stated_identities as
  select member_id, gender, age_band, ethnicity, disability from self_identifications;

-- The answers of complete assessments.
create view completed_answers as
  select member_id, id as assessment_id, completed_at, item_ids, options from assessments where completed_at is not null;

-- How many members of each group were assessed, how precisely, and which questions work differently for them. All organisations see the same count of the
-- same day, so that two of them cannot subtract theirs. One row, replaced at most once a month.
create table bias_populations (
  only_one boolean primary key default true check (only_one),
  released_at timestamptz not null,
  counts jsonb not null
);
