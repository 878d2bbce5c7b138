-- The item that waits is stored with the answer before it, so that an answer writes one row and not also the assessment, which has all earlier answers.
alter table assessment_answers add column next_item_id text;
comment on column assessment_answers.next_item_id is 'The item that was shown after this answer.';
update assessment_answers as given set next_item_id = following.next_item_id from (
  select member_id, assessment_id, position, lead(item_id) over (partition by member_id, assessment_id order by position) as next_item_id
  from assessment_answers) as following
  where following.member_id = given.member_id and following.assessment_id = given.assessment_id and following.position = given.position;
update assessment_answers as given set next_item_id = assessments.next_item_id from assessments
  where assessments.member_id = given.member_id and assessments.id = given.assessment_id and given.next_item_id is null;
-- With the assessment stands the item that was shown before the first answer since the latest result.
update assessments set next_item_id = (
    select item_id from assessment_answers as given
    where given.member_id = assessments.member_id and given.assessment_id = assessments.id order by position limit 1)
  where exists (
    select from assessment_answers as given
    where given.member_id = assessments.member_id and given.assessment_id = assessments.id);
-- The lock on the assessment and the item that waits already ensure that no item is answered twice; the index was a quarter of what an answer wrote.
alter table assessment_answers drop constraint assessment_answers_member_id_assessment_id_item_id_key;
