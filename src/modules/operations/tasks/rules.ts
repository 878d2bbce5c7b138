/** The states of a background task in order; the last two are final. */
export const taskStatuses = ['queued', 'running', 'succeeded', 'failed'] as const;

export type TaskRecord = {
  readonly id: string;
  readonly status: (typeof taskStatuses)[number];
  readonly progress_done: number;
  readonly progress_total: number;
  readonly result_url: string | null;
  readonly error: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};
