-- Invitations of people to a job, by email. Whether the address has an account is neither stored nor looked up before the person answers.
create table candidate_invitations (
  id uuid primary key,
  org_id uuid not null references organisations (id),
  job_id uuid not null,
  -- Encrypted, and gone as soon as the invitation has ended in any other way than by an acceptance.
  email_sealed bytea,
  -- An HMAC with the master key, so that the same address is found again; gone with the erasure of its member.
  email_hash bytea,
  -- SHA-256 of the token, which is an HMAC of the id: the email can be sent again without the token being kept.
  token_hash bytea not null unique,
  state text not null check (state in ('sent', 'accepted', 'declined', 'withdrawn', 'expired', 'cancelled')),
  -- The member who accepted, until the erasure. Others never read it.
  member_id uuid references members (id),
  external_ref text check (char_length(external_ref) between 1 and 200),
  metadata jsonb not null check (jsonb_typeof(metadata) = 'object'),
  created_at timestamptz not null,
  -- The last email.
  sent_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > sent_at),
  updated_at timestamptz not null,
  check (state in ('sent', 'accepted') or email_sealed is null),
  check (state <> 'sent' or (email_sealed is not null and email_hash is not null)),
  check (state in ('accepted', 'withdrawn') or member_id is null)
);
-- One open invitation of an address to a job, whatever happens at the same time.
create unique index candidate_invitations_open on candidate_invitations (job_id, email_hash) where state in ('sent', 'accepted');
create index candidate_invitations_by_address on candidate_invitations (email_hash, created_at desc, id desc);
create index candidate_invitations_by_member on candidate_invitations (member_id) where member_id is not null;
create index candidate_invitations_by_job on candidate_invitations (job_id, created_at desc, id desc);
create index candidate_invitations_by_org on candidate_invitations (org_id, sent_at desc);
create index candidate_invitations_expiring on candidate_invitations (expires_at) where state = 'sent';
create index candidate_invitations_ended on candidate_invitations (updated_at) where state <> 'sent';

-- Addresses that want no invitations from an organisation. The hash can only be compared.
create table candidate_stops (
  org_id uuid not null references organisations (id),
  email_hash bytea not null,
  created_at timestamptz not null,
  primary key (org_id, email_hash)
);
