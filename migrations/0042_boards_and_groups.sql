-- Boards whose jobs are read every day.
create table boards (
  id uuid primary key,
  org_id uuid not null references organisations (id) on delete cascade,
  url text not null check (char_length(url) between 1 and 2000),
  -- Whether a job is closed when its posting has gone, and the user who said so.
  closes_gone boolean not null,
  chosen_by uuid not null,
  is_active boolean not null,
  failure_count integer not null check (failure_count >= 0),
  last_fault text,
  read_at timestamptz,
  posting_count integer not null check (posting_count >= 0),
  left_out integer not null check (left_out >= 0),
  next_read_at timestamptz not null,
  created_at timestamptz not null,
  unique (org_id, url)
);
create index boards_due on boards (next_read_at) where is_active;

-- What the boards say, and what of it is changes for a person.
create table board_postings (
  id uuid primary key,
  board_id uuid not null references boards (id) on delete cascade,
  org_id uuid not null,
  reference text not null check (char_length(reference) between 1 and 200),
  posting jsonb not null check (jsonb_typeof(posting) = 'object'),
  posting_hash text not null,
  change text check (change in ('new', 'changed', 'gone')),
  found_at timestamptz not null,
  gone_at timestamptz,
  is_dismissed boolean not null,
  unique (board_id, reference)
);
create index board_changes on board_postings (org_id, found_at desc, id desc) where change is not null and not is_dismissed;
create index board_postings_by_reference on board_postings (org_id, reference);

-- Groups of the directory of an organisation, and the role that an administrator has given to one.
create table directory_groups (
  id uuid primary key,
  org_id uuid not null references organisations (id) on delete cascade,
  display_name text not null check (char_length(display_name) between 1 and 200),
  external_id text check (char_length(external_id) between 1 and 255),
  role text check (role in ('org_admin', 'org_viewer', 'auditor')),
  version integer not null check (version >= 1),
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create unique index directory_groups_by_name on directory_groups (org_id, lower(display_name));
create index directory_groups_in_order on directory_groups (org_id, created_at, id);

create table directory_members (
  group_id uuid not null references directory_groups (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (group_id, user_id)
);
create index directory_members_by_user on directory_members (user_id);
