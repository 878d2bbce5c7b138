-- Members read the flags of their own answers, under these names (docs/decisions/0045-answer-quality.md).
update assessments set quality_flags = array_replace(array_replace(array_replace(array_replace(quality_flags,
  'inconsistent_reversed_items', 'inconsistent'), 'inconsistent_answers', 'inconsistent'), 'fast_answers', 'too_fast'), 'idealised_answers', 'idealised')
where quality_flags <> '{}';
