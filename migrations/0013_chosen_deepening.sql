-- Going on after the first result is a choice. Who has answered nothing since their last result has not made it: no item waits for them.
update assessments set next_item_id = null
  where stage = 'deepening' and next_item_id is not null and not exists (
    select from assessment_answers as given
    where given.member_id = assessments.member_id and given.assessment_id = assessments.id);
