-- An administrator corrects a wrong date of a placement by a further record, which repeats the last outcome with the right date. The wrong record
-- stays (docs/decisions/0066-fairness-and-candidate-rights.md).
alter table match_outcomes add column corrects_date boolean not null default false;
