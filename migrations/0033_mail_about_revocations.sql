-- Emails that an organisation has revoked a credential. A process of the version before writes settings without this column.
alter table notification_settings
  add credential_revoked text not null default 'immediately' check (credential_revoked in ('immediately', 'never'));
