-- What both sides of a match add so that they can meet (docs/decisions/0042-contact.md). A match has a row from the interest of its
-- organisation on.
create table match_contacts (
  job_id uuid not null,
  match_id uuid not null,
  -- The user who expressed the interest; null for a platform administrator. Accounts are on the first node, so there is no reference.
  contact_user_id uuid,
  -- What the job asked for at that time: {clearance_required, constraints}. Later changes of the job do not reach the member's facts.
  requirements jsonb not null,
  organisation_note text,
  member_note text,
  primary key (job_id, match_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);
insert into match_contacts (job_id, match_id, requirements)
select job_id, matches.id, jsonb_build_object('clearance_required', clearance_required, 'constraints', constraints)
from matches join jobs on jobs.id = job_id where match_status in ('org_interested', 'member_accepted', 'placed');

-- As before, with the time at which the address was verified as the last column.
create or replace view org_users as
  select id, org_id, email, role, suspended_at, created_at, last_login, display_name, email_verified_at from users
  where org_id is not null and removed_at is null;
