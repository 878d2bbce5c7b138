-- Transactions that members have recorded, which are pending until their organisation pays or declines them. One that is paid is a read with the same id, and
-- its row here is deleted.
create table read_proposals (
  id uuid not null,
  member_id uuid not null references members (id),
  org_id uuid not null references organisations (id) on delete cascade,
  -- The id by which the organisation knows the member: the alias of a match, or the real id once both share the contact.
  known_as uuid not null,
  data_type text not null,
  price_aud_micros bigint not null check (price_aud_micros > 0),
  -- A pending row counts as expired from expires_at on.
  status text not null check (status in ('pending', 'declined', 'withdrawn', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  primary key (member_id, id)
);
create unique index read_proposals_pending on read_proposals (member_id, org_id, data_type) where status = 'pending';
create index read_proposals_by_org on read_proposals (org_id, created_at desc, id desc);
create index read_proposals_by_end on read_proposals (expires_at);

-- The proposal that a payment is for: the read gets its id.
alter table payments add column proposal_id uuid;
