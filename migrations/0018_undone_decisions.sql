-- The decision of an organisation that can be undone as a whole. That of an interest is forgotten when it is announced to the member.
alter table matches add column decision_id uuid;
-- How often the member of a match was told that the organisation is interested. Those who were told before this migration count as never told.
alter table matches add column proposals smallint not null default 0;
