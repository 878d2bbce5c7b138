-- Payments for reads and the wallets of organisations (docs/decisions/0053-payments.md).

-- One row for each payment that was presented for a purchase and was not refused at once, whatever the rail.
create table payment_claims (
  id uuid primary key,
  state text not null check (state in ('claimed', 'settling', 'unknown', 'failed', 'settled', 'recorded', 'refused')),
  rail text not null check (rail in ('mock', 'transfer', 'x402')),
  protocol_version text not null check (protocol_version in ('mock', 'tx-hash', 'x402-v1', 'x402-v2')),
  -- What the payment buys, and nothing else. The member is severed by an erasure.
  org_id uuid not null,
  user_id uuid not null,
  member_id uuid,
  tool text not null,
  data_type text not null,
  price_micro bigint not null check (price_micro >= 0),
  -- What the payer sends, in millionths of a dollar.
  amount_micro bigint not null check (amount_micro >= price_micro),
  -- What was signed; null on the mock rail. A transfer has no nonce and no end.
  network text,
  asset text,
  payer text,
  pay_to text,
  nonce text,
  valid_before timestamptz,
  -- What was mined.
  transaction text,
  log_index integer,
  -- Why the payment failed or was refused, or why its outcome is unknown.
  reason text,
  -- The stored result of the read.
  result jsonb,
  -- Until then, one process settles the payment.
  attempt_until timestamptz,
  created_at timestamptz not null,
  -- When it was last settled, or compared with the chain.
  attempted_at timestamptz not null,
  settled_at timestamptz,
  check (state not in ('settled', 'recorded', 'refused') or settled_at is not null),
  check (state <> 'recorded' or result is not null or member_id is null),
  check (state <> 'settling' or attempt_until is not null)
);
create index payment_claims_open on payment_claims (attempted_at, id) where state in ('claimed', 'settling', 'unknown', 'failed');
create index payment_claims_unrecorded on payment_claims (settled_at, id) where state = 'settled';
create index payment_claims_by_organisation on payment_claims (org_id, created_at, id);
create index payment_claims_by_member on payment_claims (member_id) where member_id is not null;

-- Everything by which a payment could be presented again: the signed authorisation, the mined log, the id on the mock rail.
create table payment_keys (
  key text primary key,
  claim_id uuid not null,
  created_at timestamptz not null
);
create trigger payment_keys_append_only before update or delete or truncate on payment_keys
  for each statement execute function refuse_change();

-- The states and their order are those of src/modules/income/payments/rules.ts. The database refuses any other change, so that no error in the code
-- can use a payment twice.
create function guard_payment_claim() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'payment claims are never deleted' using errcode = 'integrity_constraint_violation';
  end if;
  if (new.id, new.rail, new.protocol_version, new.org_id, new.user_id, new.tool, new.data_type, new.price_micro, new.amount_micro,
      new.network, new.asset, new.payer, new.pay_to, new.nonce, new.valid_before, new.created_at)
    is distinct from (old.id, old.rail, old.protocol_version, old.org_id, old.user_id, old.tool, old.data_type, old.price_micro, old.amount_micro,
      old.network, old.asset, old.payer, old.pay_to, old.nonce, old.valid_before, old.created_at)
    or new.member_id is distinct from old.member_id and new.member_id is not null
  then
    raise exception 'what a payment buys never changes' using errcode = 'integrity_constraint_violation';
  end if;
  if new.state <> old.state and old.state || ' ' || new.state not in (
    'claimed settling', 'claimed failed',
    'settling settled', 'settling failed', 'settling unknown',
    'unknown settling', 'unknown settled', 'unknown failed',
    'failed settling', 'failed settled',
    'settled recorded', 'settled refused'
  ) then
    raise exception 'a payment cannot change from % to %', old.state, new.state using errcode = 'integrity_constraint_violation';
  end if;
  if old.settled_at is not null
    and (new.transaction, new.log_index, new.settled_at) is distinct from (old.transaction, old.log_index, old.settled_at)
  then
    raise exception 'a settlement never changes' using errcode = 'integrity_constraint_violation';
  end if;
  if new.result is distinct from old.result
    and not (old.state = 'settled' and new.state = 'recorded')
    and not (new.result is null and new.member_id is null)
  then
    raise exception 'a stored result never changes' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
create trigger payment_claims_guarded before update or delete on payment_claims
  for each row execute function guard_payment_claim();
create trigger payment_claims_kept before truncate on payment_claims
  for each statement execute function refuse_change();

-- Wallets from which an organisation pays. One wallet belongs to one organisation.
create table payment_wallets (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  id uuid not null unique,
  org_id uuid not null references organisations (id),
  created_by uuid not null,
  created_at timestamptz not null
);
create index payment_wallets_by_organisation on payment_wallets (org_id, created_at, id);

-- Messages that a wallet is asked to sign, each once.
create table payment_wallet_challenges (
  org_id uuid not null references organisations (id),
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  nonce text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (org_id, address)
);
create index payment_wallet_challenges_by_time on payment_wallet_challenges (expires_at);
