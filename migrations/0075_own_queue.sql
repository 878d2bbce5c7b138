-- The queue is ours: one row is one task, from the transaction that queues it until it has run. A task that nobody watches is deleted
-- once it has succeeded; one that a user started keeps its outcome for GET /tasks/{task_id}.
delete from tasks where status in ('queued', 'running');

alter table tasks
  -- The user who may watch the task; null for most tasks, which nobody watches.
  alter column user_id drop not null,
  add column data jsonb not null default '{}',
  add column due_at timestamptz not null default now(),
  add column attempt integer not null default 1,
  -- For whom the task runs: the id of an organisation or member. These take turns, in the order of their ids.
  add column group_id text collate "C" not null default '',
  -- All queued tasks with the same name and key are done by one run.
  add column merge_key text,
  -- The event that queued the task, if the task uses it.
  add column event_id uuid,
  -- Who runs the task: a claim of one worker. A later claim of the same task has another id.
  add column claim_id uuid,
  add column heartbeat_at timestamptz,
  -- How often its worker was lost. After too many, the task has failed.
  add column lost_workers integer not null default 0,
  add check ((status = 'running') = (claim_id is not null and heartbeat_at is not null));

drop index tasks_finished;
create index tasks_queued on tasks (name, group_id, due_at) where status = 'queued';
create index tasks_queued_by_key on tasks (name, merge_key) where status = 'queued' and merge_key is not null;
create index tasks_running on tasks (heartbeat_at) where status = 'running';
create index tasks_failed on tasks (updated_at desc, id desc) where status = 'failed';
create index tasks_succeeded on tasks (updated_at) where status = 'succeeded';

-- A task with a schedule has one row: when it is queued next. Whoever moves `due_at` on queues it, so it is queued once.
create table task_schedules (
  name text primary key,
  -- The cron expression from which `due_at` was computed.
  every text not null,
  due_at timestamptz not null
);

-- Nothing was released, so no waiting task has to be kept.
drop schema if exists pgboss cascade;

-- The time for which the next run of a subscription is queued is that of its task.
alter table webhook_subscriptions drop column wake_at;
