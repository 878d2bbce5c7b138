-- Counts the rows of a table and samples their values for the planner. After a bulk load, the planner would otherwise believe the table to be
-- empty until the next automatic count. Only the owner of a table may do so, which the role of the service is not.
create function analyze_table(name text) returns void language plpgsql security definer set search_path = pg_catalog as $$
begin
  execute format('analyze public.%I', name);
end
$$;
