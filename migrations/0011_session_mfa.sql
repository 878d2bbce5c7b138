-- Whether the user proved a second factor in this session: a code of the app, a recovery code or a passkey. Platform administrators need it in production.
alter table sessions add column by_mfa boolean not null default false;
