-- What the index of the matcher follows, and what members want of a job.

-- Which members changed in what matching looks at. Every process that computes matches reads on from where it was. The transaction's
-- number makes that exact: a change that commits late has a number that no reader has passed.
create table matching_changes (
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  -- Null once the member is erased: the last four bytes of the id stay, by which the processes forget the member too.
  member_id uuid,
  erased_tail bigint,
  changed_at timestamptz not null default now(),
  primary key (xid, id),
  check ((member_id is null) = (erased_tail is not null))
);
create index matching_changes_by_time on matching_changes (changed_at);

create table matching_preferences (
  member_id uuid primary key references members (id),
  clearance_held text not null check (
    clearance_held in ('none', 'baseline', 'negative_vetting_1', 'negative_vetting_2', 'positive_vetting')
  ),
  -- The policies that the member accepts, the most welcome first; null for any.
  remote_policies text[] check (
    cardinality(remote_policies) > 0 and remote_policies <@ array['onsite', 'hybrid', 'remote']
  ),
  -- Whole units of the currency a year.
  salary_min integer,
  salary_currency text,
  -- Quadrant of the Competing Values Framework to its weight, as organisations are described.
  "values" jsonb,
  updated_at timestamptz not null,
  check ((salary_min is null) = (salary_currency is null))
);

create function note_matching_change() returns trigger language plpgsql as $$
begin
  insert into matching_changes (member_id) values (new.id);
  return null;
end
$$;

create trigger members_matching_change after update on members
  for each row when (
    (old.account_status, old.email_verified, old.assessment_consented, old.assessment_phase, old.matching_consented, old.current_industry,
      old.years_experience, old.education_level, old.location_country, old.location_state)
    is distinct from
    (new.account_status, new.email_verified, new.assessment_consented, new.assessment_phase, new.matching_consented, new.current_industry,
      new.years_experience, new.education_level, new.location_country, new.location_state)
  ) execute function note_matching_change();

-- A member who was just added has no measurements yet: nothing to follow.
create function note_matching_changes() returns trigger language plpgsql as $$
begin
  insert into matching_changes (member_id) select distinct member_id from changed;
  return null;
end
$$;

create trigger trait_vectors_inserted after insert on trait_vectors
  referencing new table as changed for each statement execute function note_matching_changes();
create trigger trait_vectors_deleted after delete on trait_vectors
  referencing old table as changed for each statement execute function note_matching_changes();
create trigger matching_preferences_inserted after insert on matching_preferences
  referencing new table as changed for each statement execute function note_matching_changes();
create trigger matching_preferences_updated after update on matching_preferences
  referencing new table as changed for each statement execute function note_matching_changes();
create trigger matching_preferences_deleted after delete on matching_preferences
  referencing old table as changed for each statement execute function note_matching_changes();

create function note_matching_erasure() returns trigger language plpgsql as $$
begin
  delete from matching_changes where member_id = old.id;
  insert into matching_changes (erased_tail) values (('x' || lpad(right(old.id::text, 8), 16, '0'))::bit(64)::bigint);
  return null;
end
$$;

create trigger members_matching_erasure after delete on members
  for each row execute function note_matching_erasure();
