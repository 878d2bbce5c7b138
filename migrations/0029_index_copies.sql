-- The copies of match indexes that workers have saved to their data directories (docs/decisions/0039-index-copy-and-retention.md). A copy is used
-- only if the database has its row: another database, or one that was restored to an earlier time, does not have it.

create table match_index_copies (
  id uuid primary key,
  saved_at timestamptz not null default now()
);
create index match_index_copies_by_time on match_index_copies (saved_at);
