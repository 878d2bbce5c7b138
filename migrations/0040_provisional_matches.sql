-- Whether a label follows from parameters that are not yet calibrated (docs/decisions/0043-provisional-scores.md). The labels of today count
-- as provisional until the next computation.
alter table matches add column provisional boolean not null default true;
alter table member_matches add column provisional boolean not null default true;
