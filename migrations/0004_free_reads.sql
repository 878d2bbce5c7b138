-- What an organisation has read for nothing on a day: the same free read of the same day is the same read.
create table free_reads (
  member_id uuid not null references members (id),
  org_id uuid not null references organisations (id) on delete cascade,
  -- The id by which the organisation knew the member.
  known_as uuid not null,
  data_type text not null,
  day date not null,
  result jsonb not null,
  primary key (member_id, org_id, known_as, data_type, day)
);
create index free_reads_by_day on free_reads (day);

-- How many answers about members an organisation got on a day that were no reads: refusals and quotes. Such a row may be without a read.
alter table read_counts add column refused_count integer not null default 0 check (refused_count >= 0);
alter table read_counts drop constraint read_counts_read_count_check;
alter table read_counts add constraint read_counts_read_count_check check (read_count >= 0);
