import { wait } from './send-request.ts';

type Task = { readonly status: string };

type TaskReader<State extends Task> = {
  readonly tasks: {
    readonly readTask: {
      fetchReply(
        input: { readonly task_id: string },
        options?: { readonly signal?: AbortSignal },
      ): Promise<{ readonly data: State }>;
    };
  };
};

/**
 * Waits until background work has ended, asking with growing pauses of at most ten seconds.
 *
 * @param client The client of the user who started the task.
 * @returns the task, whose status is `succeeded` or `failed`.
 */
export async function waitForTask<State extends Task>(
  client: TaskReader<State>,
  { task_id }: { readonly task_id: string },
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<State> {
  for (let pause_ms = 250; ; pause_ms = Math.min(pause_ms * 1.5, 10_000)) {
    const { data } = await client.tasks.readTask.fetchReply({ task_id }, { ...(signal && { signal }) });
    if (data.status === 'succeeded' || data.status === 'failed') return data;
    await wait(pause_ms, signal);
  }
}
