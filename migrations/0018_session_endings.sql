-- Which sessions ended, in the order of transactions. Every process reads on from where it was, to refuse the access tokens of these
-- sessions. The transaction's number makes that exact, whatever the clocks of the processes say: a session whose end commits late has a
-- number that no reader has passed. Rows are deleted once every access token of the session has expired, or with the member.
create table session_endings (
  xid xid8 not null default pg_current_xact_id(),
  session_id uuid not null,
  ended_at timestamptz not null default now(),
  primary key (xid, session_id)
);
create index session_endings_by_time on session_endings (ended_at);

create function note_session_ending() returns trigger language plpgsql as $$
begin
  insert into session_endings (session_id) values (new.id);
  return null;
end
$$;

-- A trigger, because processes of the version before do not write the new table.
create trigger sessions_ending after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function note_session_ending();

insert into session_endings (session_id, ended_at)
  select id, revoked_at from sessions where revoked_at is not null;
