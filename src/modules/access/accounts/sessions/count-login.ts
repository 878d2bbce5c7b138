import { Refusal } from '#lib/refusal.ts';
import type { Services } from '#platform/platform.ts';
import type { LoginMethod } from '#platform/telemetry/metrics.ts';

/** Counts a login, or a step of one, by its outcome. A defect or an overloaded service is not a failed login. */
export async function countLogin<Result>(
  { metrics }: Pick<Services, 'metrics'>,
  method: LoginMethod,
  logIn: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await logIn();
    metrics.countLogin(method, 'succeeded');
    return result;
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) metrics.countLogin(method, 'failed');
    throw error;
  }
}
