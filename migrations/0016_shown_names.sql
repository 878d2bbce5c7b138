-- An organisation's name, as others read it. Of organisations whose names read alike, one of which has proven a domain, each is known by its domain, or by
-- having none: a name that was chosen before the other proved its domain stays, and must not pass for it.
create or replace view organisation_names as
  select organisations.id, case
    when name_skeleton is null or name_skeleton = '' or not exists (
      select from organisations namesakes join organisation_domains on org_id = namesakes.id and verified_at is not null
      where namesakes.name_skeleton = organisations.name_skeleton and namesakes.id <> organisations.id)
      then name
    else coalesce(
      (array(select domain from organisation_domains where org_id = organisations.id and verified_at is not null order by domain))[1] || ' (' || name || ')',
      name || ' (no proven domain)')
    end as name
  from organisations;
