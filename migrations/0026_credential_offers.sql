-- What an organisation says that people can achieve. Nothing but `archived` changes once it was offered, so that a credential means what its page says.
create table achievements (
  id uuid primary key,
  org_id uuid not null references organisations (id) on delete cascade,
  name text not null,
  description text not null,
  criteria text not null,
  -- A picture as it was sent, with its media type by content.
  image bytea check (octet_length(image) <= 131072),
  image_type text check (image_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- The same in frameworks of skills: a list of {framework, code, name}.
  alignments jsonb not null check (jsonb_typeof(alignments) = 'array'),
  is_offered boolean not null default false,
  archived boolean not null default false,
  created_at timestamptz not null,
  check ((image is null) = (image_type is null))
);
create unique index achievements_by_name on achievements (org_id, name) where not archived;
create index achievements_by_organisation on achievements (org_id, created_at desc, id desc);

-- Credentials that a member may accept. None exists before the member has.
create table credential_offers (
  id uuid,
  member_id uuid not null references members (id),
  -- The organisation that vouches; null if the service does.
  org_id uuid,
  match_id uuid,
  credential_type text not null check (
    credential_type in ('archetype_attestation', 'assessment_completion', 'placement_attestation', 'org_validation')
  ),
  attestation_tier text not null check (attestation_tier in ('platform_verified', 'org_validated')),
  -- Names what is attested, so that the same is not offered twice.
  about text not null,
  claims jsonb not null check (jsonb_typeof(claims) = 'object'),
  expiry_days integer not null check (expiry_days between 1 and 3650),
  -- An open offer whose `closes_at` has passed is expired: nobody has to come by and set it.
  state text not null check (state in ('waiting', 'open', 'accepted', 'declined', 'disputed', 'withdrawn', 'revoked')),
  opens_at timestamptz not null,
  closes_at timestamptz not null check (closes_at > opens_at),
  created_at timestamptz not null,
  -- When the offer left the states in which it can still be accepted, and why, in the words of the side that ended it.
  ended_at timestamptz,
  reason text,
  credential_id uuid,
  check ((attestation_tier = 'org_validated') = (org_id is not null)),
  check ((state in ('accepted', 'revoked')) = (credential_id is not null)),
  check ((state in ('waiting', 'open')) = (ended_at is null)),
  primary key (member_id, id)
);
-- One of the same that can still be accepted, whatever happens at the same time.
create unique index credential_offers_about on credential_offers (member_id, about) where state in ('waiting', 'open');
create index credential_offers_by_member on credential_offers (member_id, created_at desc, id desc);
create index credential_offers_by_organisation on credential_offers (org_id, created_at desc, id desc) where org_id is not null;
create index credential_offers_opening on credential_offers (opens_at) where state = 'waiting';
create index credential_offers_ended on credential_offers (ended_at) where state in ('declined', 'disputed', 'withdrawn');
create index credential_offers_closing on credential_offers (closes_at) where state = 'open';

-- Emails that a credential waits. A process of the version before writes settings without this column.
alter table notification_settings
  add credential_offered text not null default 'immediately' check (credential_offered in ('immediately', 'never'));
alter table member_notices drop constraint member_notices_kind_check;
alter table member_notices add constraint member_notices_kind_check
  check (kind in ('results_ready', 'assessment_unfinished', 'credential_offered'));
