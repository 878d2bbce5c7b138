-- A database has this row if and only if it is that of a sandbox, whose people and payments are made up.
create table sandbox (
  is_only boolean primary key default true check (is_only),
  -- The test clock: by how much it is ahead of the clock of the machine.
  ahead_ms bigint not null default 0 check (ahead_ms >= 0),
  -- What the made-up people were drawn with; null until all of them are stored.
  seed bigint,
  member_count integer,
  created_at timestamptz not null,
  check ((seed is null) = (member_count is null))
);
