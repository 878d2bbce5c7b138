-- What an organisation has noted about a match for itself. Its member and other organisations never read it.
create table private_notes (
  job_id uuid not null,
  match_id uuid not null,
  note text,
  labels text[] not null,
  primary key (job_id, match_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);
