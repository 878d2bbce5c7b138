-- When the identity provider was last replaced or changed in what decides whom it signs in. For a day afterwards it signs in no administrator. Null for
-- configurations from before this was recorded.
alter table sso_configurations add column provider_changed_at timestamptz;
