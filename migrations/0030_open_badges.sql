-- A credential has one more signed form, an Open Badges 3.0 credential.

alter table credentials add open_badge text;

-- Only a process has the keys. The task signs what has not expired; a credential that has expired keeps null.
insert into tasks (id, name, status, created_at, updated_at)
select gen_random_uuid(), 'credentials.renewCredentials', 'queued', now(), now()
where exists (select from credentials where expires_at > now());

-- An offer to a wallet on the device that shows it has no transaction code: nobody else sees its link.
alter table wallet_offers alter tx_code_hash drop not null;
