-- What a distributed database does in another way (src/tables/distributed.sql): the books of a holder are locked on the node that has them, and an erasure moves
-- them to an id of the same node.

-- An id that belongs to nobody, for what an erasure keeps of a holder.
create function choose_successor(holder uuid) returns uuid language plpgsql as $$
begin
  return gen_random_uuid();
end
$$;

-- Prevents that the books of a holder are moved or summed up until the transaction ends. Every posting of income takes the same lock.
create function share_holder_of_books(holder uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger.holder:' || holder, 0));
end
$$;
