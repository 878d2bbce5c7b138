-- What each module publishes of its tables for statements of other modules (docs/decisions/0023-sql-ownership.md). The views are simple, so
-- that the planner replaces them by their tables. src/tables/tables.ts lists who owns and who reads them.

-- An organisation's name.
create view organisation_names as
  select id, name from organisations;

-- What jobs may ask for in the profile of a member at engagement level 4 (src/modules/people/members/rules.ts in SQL). To lock a row is to lock the
-- member.
create view deployed_profiles as
  select id as member_id, location_country, location_state, years_experience, education_level from members
  where account_status = 'active' and email_verified and assessment_consented and assessment_phase = 'complete' and matching_consented
    and current_industry is not null and years_experience is not null and education_level is not null
    and location_country is not null;

-- Those members, with their ids only. It keeps its columns: processes of the version before join it with members by name.
create or replace view deployed_members as
  select member_id as id from deployed_profiles;

-- A member whose account is marked for deletion: only such a member is erased.
create view members_marked_for_deletion as
  select id from members where account_status = 'pending_deletion';

-- A consent that a member has given and not withdrawn since.
create view granted_consents as
  select member_id, consent_type from consent_records as record
  where granted and not exists (
    select from consent_records as later
    where later.member_id = record.member_id and later.consent_type = record.consent_type and later.sequence > record.sequence);

-- A user of an organisation; users whom the organisation has removed are left out.
create view org_users as
  select id, org_id, email, role, suspended_at, created_at, last_login from users
  where org_id is not null and removed_at is null;

-- Which user is a member's.
create view member_users as
  select id, member_id from users where member_id is not null;

-- A version of a member's trait vector in the matcher's form; the highest version is the current one.
create view latent_vectors as
  select member_id, version, latent_mean as mean, latent_variance as variance from trait_vectors;

-- What a job is called and which traits it asks for.
create view job_outlines as
  select id, title, trait_priorities from jobs;

-- The functions below do what they did before. They read the views instead of other modules' tables.

create or replace function erase_consent(erased uuid) returns void language plpgsql as $$
begin
  if not exists (select from members_marked_for_deletion where id = erased) then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  perform set_config('tessera.erased_member', erased::text, true);
  delete from consent_records where member_id = erased;
  delete from query_category_records where member_id = erased;
  perform set_config('tessera.erased_member', '', true);
end
$$;

create or replace function refuse_unless_severed() returns trigger language plpgsql as $$
declare
  erased text := current_setting('tessera.severed_member', true);
begin
  if coalesce(erased, '') = ''
    or old.member_id::text is distinct from erased
      and not exists (select from member_users where id = old.actor_user_id and member_id::text = erased)
    or (new.id, new.sequence, new.action, new.actor_role, new.org_id, new.created_at)
      is distinct from (old.id, old.sequence, old.action, old.actor_role, old.org_id, old.created_at)
    or new.actor_user_id is not null and new.actor_user_id is distinct from old.actor_user_id
    or new.member_id is not null and new.member_id is distinct from old.member_id
    or new.detail <> '{}'
  then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create or replace function sever_audit(erased uuid) returns void language plpgsql as $$
begin
  if not exists (select from members_marked_for_deletion where id = erased) then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  perform set_config('tessera.severed_member', erased::text, true);
  update audit_log set
    member_id = nullif(member_id, erased),
    actor_user_id = case
      when actor_user_id in (select id from member_users where member_id = erased) then null else actor_user_id
    end,
    detail = '{}'
  where member_id = erased or actor_user_id in (select id from member_users where member_id = erased);
  perform set_config('tessera.severed_member', '', true);
end
$$;
