-- A stream: a subscription whose events a program fetches, instead of an address to which they are sent. Its url is `stream:` and its name.
-- `opened_at` is when a program last opened it or fetched from it, to the minute.
alter table webhook_subscriptions add column opened_at timestamptz;
create unique index webhook_subscriptions_stream on webhook_subscriptions (org_id, url) where opened_at is not null;
create index webhook_subscriptions_opened on webhook_subscriptions (opened_at) where opened_at is not null;
