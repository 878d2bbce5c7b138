-- What members can prove to anybody, and how it is taken back.

create table status_lists (
  id uuid primary key,
  -- One bit for each of 131,072 credentials, the least significant bit of a byte first; 1: revoked. It tells of nobody, and outlives all.
  bits bytea not null,
  -- All indexes in an order that was drawn once, three bytes each: the next credential takes the next one, so that its index says nothing
  -- about when it was issued, and none is ever given twice.
  shuffled bytea not null,
  taken integer not null default 0,
  -- Goes up with every change of the bits.
  version integer not null default 0,
  -- The signed forms of the bits; null where they are to be signed anew.
  vc_jwt text,
  token_jwt text,
  signed_at timestamptz,
  created_at timestamptz not null,
  check (octet_length(bits) = 16384),
  check ((vc_jwt is null) = (signed_at is null) and (token_jwt is null) = (signed_at is null))
);
-- Uncompressed, so that a piece of the order is read without the rest, and beside the row, so that taking an index writes none of it.
alter table status_lists alter column shuffled set storage external;
alter table status_lists alter column bits set storage external;

create table credentials (
  id uuid primary key,
  member_id uuid not null references members (id),
  credential_type text not null check (
    credential_type in (
      'trait_attestation', 'archetype_attestation', 'assessment_completion', 'placement_attestation', 'org_validation'
    )
  ),
  attestation_tier text not null check (attestation_tier in ('self_attested', 'platform_verified', 'org_validated')),
  claims jsonb not null check (jsonb_typeof(claims) = 'object'),
  issued_at timestamptz not null,
  -- Expiry is this date and no state: nobody has to come by and set it.
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revocation_reason text,
  -- Whether those who have the id, and not the credential, are told what it says.
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  status_list_id uuid not null references status_lists (id),
  status_index integer not null check (status_index between 0 and 131071),
  -- How often somebody verified it; never who, and never when.
  verifications integer not null default 0,
  vc_jwt text not null,
  sd_jwt_vc text not null,
  attestation_token text not null,
  unique (status_list_id, status_index),
  check (revoked_at is not null or revocation_reason is null)
);
create index credentials_by_member on credentials (member_id, issued_at desc, id desc);
create index credentials_by_time on credentials (issued_at desc, id desc);
