-- The end of stubs that nobody claims, and higher fees of payouts (docs/decisions/0059-rest-of-paid-reads.md).

create index identity_stubs_unclaimed on identity_stubs (created_at) where status = 'unclaimed';

-- The hashes of the transactions that were signed for the payout before its present one, the newest first, and when the present one was signed. All of
-- them have the same nonce, so that the chain carries out at most one.
alter table payouts
  add column earlier_hashes text[] not null default '{}',
  add column signed_at timestamptz;
