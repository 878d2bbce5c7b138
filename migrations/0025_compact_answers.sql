-- The answers of a complete assessment are one row: the assessment's own. A row for each answer takes ten times the space, and is kept only
-- while the assessment is open. Every table of an assessment has the key of its member (docs/decisions/0038-shard-keys.md).

alter table assessments
  -- In the order in which they were given. Null while the assessment is open.
  add column item_ids text[],
  add column options smallint[],
  add column answer_times timestamptz[],
  -- From the question to the answer, as the server saw it.
  add column response_times_ms integer[];

alter table assessment_answers add column member_id uuid;
update assessment_answers set member_id = assessments.member_id from assessments where assessments.id = assessment_id;

update assessments set (item_ids, options, answer_times, response_times_ms) = (
  select coalesce(array_agg(item_id order by position), '{}'), coalesce(array_agg(option::smallint order by position), '{}'),
    coalesce(array_agg(answered_at order by position), '{}'), coalesce(array_agg(response_time_ms order by position), '{}')
  from assessment_answers where assessment_id = assessments.id
) where completed_at is not null;
delete from assessment_answers using assessments where assessments.id = assessment_id and completed_at is not null;

alter table assessment_answers
  alter column member_id set not null,
  alter column option type smallint,
  drop constraint assessment_answers_assessment_id_fkey,
  drop constraint assessment_answers_pkey,
  drop constraint assessment_answers_assessment_id_item_id_key,
  add primary key (member_id, assessment_id, position),
  add unique (member_id, assessment_id, item_id);
alter table assessments
  drop constraint assessments_pkey,
  add primary key (member_id, id),
  add constraint assessments_answers_check check ((completed_at is null) = (item_ids is null));
alter table assessment_answers add foreign key (member_id, assessment_id) references assessments (member_id, id);
