-- A weekly email about new matches, for members who ask for it. A process of the version before writes settings without this column.
alter table notification_settings
  add matches_found text not null default 'never' check (matches_found in ('weekly', 'never'));
alter table member_notices drop constraint member_notices_kind_check;
alter table member_notices add constraint member_notices_kind_check
  check (kind in ('results_ready', 'assessment_unfinished', 'credential_offered', 'matches_found'));
