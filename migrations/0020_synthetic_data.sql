-- What "demo load" added, so that "demo unload" removes it and nothing else.
alter table members add column is_synthetic boolean not null default false;
create index members_synthetic on members (id) where is_synthetic;
alter table organisations add column is_synthetic boolean not null default false;
create index organisations_synthetic on organisations (id) where is_synthetic;
