-- An assessment has stages (docs/decisions/0044-stages.md): a first one that already leads to a result, and a deepening.

alter table assessments
  add column stage text not null default 'first' check (stage in ('first', 'deepening', 'complete')),
  -- The item that was shown last and waits for its answer. Null where none was shown since this column exists.
  add column next_item_id text,
  -- How much the certainty of the member's matches depends on each trait, in slot order; null until matches were computed.
  add column trait_stakes real[];
-- completed_at is from now on the time of the latest result: the answers until then are in the row itself.
update assessments set stage = 'complete' where completed_at is not null;

-- What comes from an assessment that is not complete is preliminary.
alter table trait_vectors
  add column stage text not null default 'complete' check (stage in ('first', 'deepening', 'complete'));
