-- A status list keeps the key that first signed it, because some verifiers know one key for a credential and its list.

alter table status_lists add column kid text references signing_keys (kid);

-- The key that was active when the list was created. A first list may be a moment older than a key that another node created.
update status_lists set kid = coalesce(
  (
    select kid from signing_keys where purpose = 'credential' and signing_keys.created_at <= status_lists.created_at
    order by signing_keys.created_at desc limit 1
  ),
  (select kid from signing_keys where purpose = 'credential' order by created_at limit 1)
);

-- Every list is signed again with its own key at the next request.
update status_lists set vc_jwt = null, token_jwt = null, signed_at = null;

alter table status_lists alter column kid set not null;
