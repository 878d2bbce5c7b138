-- The latest year that is played in a sandbox. It is one row, so no two years are played at once.
alter table sandbox
  add column year_id uuid,
  add column year_seed bigint,
  add column year_org_id uuid,
  -- The midnight of its first day; null until the clock can pass for it.
  add column year_began_at timestamptz,
  add column year_acts_done integer,
  add column year_acts_total integer,
  add column year_status text check (year_status in ('running', 'finished', 'cancelled'));
