-- Users change their own name and address.

-- The name of a user who is no member; a member's name is in members. Null: none was given.
alter table users add column display_name text;
alter table users add constraint users_display_name_check check (display_name is null or member_id is null);

-- The new address of a user who changes it; the token is mailed there. A token of another purpose is mailed to the user's address.
alter table mailed_tokens add column email text;
alter table mailed_tokens drop constraint mailed_tokens_purpose_check;
alter table mailed_tokens add constraint mailed_tokens_purpose_check
  check (purpose in ('verify_email', 'change_email', 'reset_password', 'cancel_deletion'));
alter table mailed_tokens add constraint mailed_tokens_email_check check ((purpose = 'change_email') = (email is not null));

-- What a member is called, for the account of the member.
create view member_names as
  select id as member_id, display_name from members;

-- As before, with the name as the last column.
create or replace view org_users as
  select id, org_id, email, role, suspended_at, created_at, last_login, display_name from users
  where org_id is not null and removed_at is null;
