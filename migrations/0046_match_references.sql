-- A match refers to its member by its row in `member_matches`, which every transaction adds with the one in `matches`, and its transaction has locked
-- its job. PostgreSQL checked both once more for each row, which took half of the time of a new list. Jobs are deleted after their matches.
alter table matches drop constraint matches_member_id_fkey;
alter table matches drop constraint matches_job_id_fkey;
