-- The id by which the organisation knew the member when it read: the alias of a match, or the real id once it knows that. The pseudonym of the read follows from it.
-- Null for reads from before this was recorded, whose pseudonym follows from the member.
alter table reads add column known_as uuid;
alter table payments add column known_as uuid;
