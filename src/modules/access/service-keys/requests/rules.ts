/** A request by a service key and its answer: enough to find out why a program fails, and nothing about whom it asked. */
export type KeyRequest = {
  /** The id that the reply had in X-Request-Id. */
  readonly id: string;
  readonly service_key_id: string;
  readonly at: Date;
  readonly method: string;
  /** The path as the table of the API writes it, such as `/orgs/me/jobs/{job_id}`; null if there is none. */
  readonly path: string | null;
  readonly status: number;
  /** The code of the refusal, if it is one. */
  readonly code: string | null;
  readonly duration_ms: number;
};

/** How many requests of a key are shown, and at least kept. */
export const kept_max = 100;
export const kept_days = 7;

const api_prefix = '/api/v1';

/** Converts the pattern of a route to the path of its row. No id of a request is in it. */
export function toRowPath(route: string): string {
  const path = route.startsWith(`${api_prefix}/`) ? route.slice(api_prefix.length) : route;
  return path.replace(/:(\w+)/g, '{$1}');
}
