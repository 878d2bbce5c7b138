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

-- Users with their names, read with one statement.
create view named_users as
  select users.id, email, role, coalesce(member_id, org_id) as linked_entity_id, users.created_at, last_login,
    coalesce(members.display_name, users.display_name) as display_name
  from users left join members on members.id = member_id;
