-- The bits of a status list in 64 blocks. A revocation rewrites one of them, in its page, where it used to rewrite the bits of the whole list and both signed
-- forms. What is signed is kept in memory. A node of the earlier version fails on the missing columns, and so misses no revocation.
create table status_list_blocks (
  list_id uuid not null references status_lists (id),
  block smallint not null check (block between 0 and 63),
  -- One bit for each of 2,048 credentials, the least significant bit of a byte first; 1: revoked. It tells of nobody, and outlives all.
  bits bytea not null check (octet_length(bits) = 256),
  -- Goes up with every change of the bits.
  version integer not null default 0,
  primary key (list_id, block)
) with (fillfactor = 50);

insert into status_list_blocks (list_id, block, bits)
  select id, block, substring(bits from block * 256 + 1 for 256) from status_lists, generate_series(0, 63) as block;

alter table status_lists drop column bits, drop column version, drop column vc_jwt, drop column token_jwt, drop column signed_at;

-- Gives back the space of the earlier copies, of 16 kB for each revocation.
cluster status_lists using status_lists_pkey;
alter table status_lists set without cluster;
