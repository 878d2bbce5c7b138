-- After several failed attempts in a row, nothing is sent to an endpoint before this time (docs/decisions/0071-webhooks-and-exports-reviewed.md).
alter table webhook_subscriptions add column resumes_at timestamptz;
