-- Access tokens and credentials get separate keys, and a key can be declared compromised.

alter table signing_keys
  add column purpose text check (purpose in ('access_token', 'credential')),
  -- When the operator declared the key compromised. Nothing that it signed is accepted or published any more.
  add column revoked_at timestamptz,
  add check (revoked_at is null or retired_at is not null);

-- Until now the ES256 key signed both. It keeps the credentials, which live for years. Access tokens that it signed are refused from now
-- on; their users get new ones with their refresh tokens. Credentials were never signed with RS256.
update signing_keys set purpose = case algorithm when 'ES256' then 'credential' else 'access_token' end;

alter table signing_keys
  alter column purpose set not null,
  add check (purpose = 'access_token' or algorithm = 'ES256');

drop index signing_keys_active;
create unique index signing_keys_active on signing_keys (purpose, algorithm) where retired_at is null;
