-- Members may choose several genders and ethnic groups (docs/decisions/0075-self-identification.md). `gender` and `ethnicity` are what they are counted as in
-- reports: `several` for those who have chosen more than one, so that every person is counted once.
drop view stated_identities;
alter table self_identifications add column genders text[] not null default '{}' check (cardinality(genders) <= 10);
alter table self_identifications add column ethnicities text[] not null default '{}' check (cardinality(ethnicities) <= 10);
update self_identifications set genders = array_remove(array[gender], null), ethnicities = array_remove(array[ethnicity], null);
alter table self_identifications drop column gender;
alter table self_identifications drop column ethnicity;
alter table self_identifications add column gender text
  generated always as (case when cardinality(genders) > 1 then 'several' else genders[1] end) stored;
alter table self_identifications add column ethnicity text
  generated always as (case when cardinality(ethnicities) > 1 then 'several' else ethnicities[1] end) stored;

-- What members have said about themselves. Only those count who still consent to statistics (granted_consents). The role that learning reads as
-- is not granted it.
create view stated_identities as
  select member_id, gender, age_band, ethnicity, disability from self_identifications;
