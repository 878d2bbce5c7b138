-- A worker may hold one part of the match index: which, where the other workers reach it, and what must be the same for them to understand
-- each other. All are null for a worker with the whole index.
alter table match_index_nodes
  add column shard integer,
  add column shards integer,
  -- Null until it listens.
  add column address text,
  add column version text;

-- Two workers of the same version never hold the same part.
create unique index if not exists match_index_nodes_by_shard on match_index_nodes (version, shards, shard);
