-- When an agent was last refused a tool that needs a wider consent. Some clients answer by a refresh, which cannot widen anything: it is refused for
-- some seconds, so that they ask the person instead.
alter table agent_grants add column scope_asked_at timestamptz;
