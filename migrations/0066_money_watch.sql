-- What the operator must learn about payments and books (docs/decisions/0068-checkpoints-and-faults.md), found by tasks of any process: one row for each.

create table money_watch (
  topic text primary key check (topic in ('books', 'chain')),
  observed_at timestamptz not null,
  -- Books: how many faults the check found.
  fault_count integer check (fault_count >= 0),
  -- Chain: the time of the newest block of the node; null if the node did not answer.
  newest_block_at timestamptz,
  check ((topic = 'books') = (fault_count is not null)),
  check (topic = 'chain' or newest_block_at is null)
);
