-- The email domains that organisations claim, and which organisation has proven that a domain is its own.

create table organisation_domains (
  org_id uuid not null references organisations (id),
  -- In lower case.
  domain text not null check (domain = lower(domain) and length(domain) between 3 and 253),
  -- What the TXT record of the domain must contain. Replaced when another organisation proves the domain, so that a forgotten record proves nothing.
  challenge text not null check (length(challenge) >= 22),
  verified_at timestamptz,
  verified_by text check (verified_by in ('dns', 'operator')),
  created_at timestamptz not null,
  primary key (org_id, domain),
  check ((verified_at is null) = (verified_by is null))
);

-- One organisation at most holds a domain.
create unique index organisation_domains_held on organisation_domains (domain) where verified_at is not null;

-- The domains of the existing configurations are claimed, and none of them is verified.
insert into organisation_domains (org_id, domain, challenge, created_at)
select distinct org_id, lower(domain), replace(gen_random_uuid()::text, '-', ''), updated_at
from sso_configurations cross join unnest(email_domains) as domain;
