-- What a reader sees in the name of an organisation (src/lib/text/look-alikes.ts), by which names that read alike are found. A name with other characters than
-- those of ASCII gets its own when it changes, or when the organisation proves a domain.
alter table organisations add column name_skeleton text;
update organisations set name_skeleton = replace(
  replace(translate(lower(regexp_replace(name, '[^A-Za-z0-9]', '', 'g')), '01i', 'oll'), 'rn', 'm'), 'vv', 'w')
  where name ~ '^[ -~]*$';
create index organisations_by_skeleton on organisations (name_skeleton);
