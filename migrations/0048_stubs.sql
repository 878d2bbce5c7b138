-- Stubs: members who exist before anybody has an account for them (docs/decisions/0056-stubs.md).

-- Whether the member is a stub that nobody has claimed: it has no account, no name and no address.
alter table members add column is_unclaimed boolean not null default false;

create table identity_stubs (
  member_id uuid primary key,
  -- HMAC of the claim code. The code itself is nowhere: whoever has it becomes the owner.
  code_hash bytea not null unique check (length(code_hash) = 32),
  status text not null check (status in ('unclaimed', 'claimed')),
  created_at timestamptz not null,
  claimed_at timestamptz,
  check ((status = 'claimed') = (claimed_at is not null))
);

-- What was observed of a stub, one row a trait: the sum of the weights of its observations, and of their values by weight.
create table stub_observations (
  member_id uuid not null references members (id),
  trait_code text not null,
  observation_count integer not null check (observation_count > 0),
  weight double precision not null check (weight > 0),
  weighted_sum double precision not null,
  primary key (member_id, trait_code)
);
