-- Since when the tier of an organisation is the operator's word; null for one that registered itself and has the lowest.
alter table organisations add column tier_set_at timestamptz;
update organisations set tier_set_at = created_at where tier <> 'E1 Explorer';

-- Which organisation has used the free reads that a registrable domain gives once. The row stays when the domain or the organisation goes.
create table free_read_domains (
  domain text primary key,
  org_id uuid not null,
  taken_at timestamptz not null
);
