-- Which transaction number comes next for an address that sends payouts (docs/decisions/0051-ledger.md). Its row is locked while a payout takes one.
create table payout_nonces (
  chain_id bigint not null,
  address text not null,
  next_nonce bigint not null check (next_nonce > 0),
  primary key (chain_id, address)
);
