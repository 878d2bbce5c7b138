import { isUnavailable } from '#platform/database/database.ts';
import type { Logger } from '#platform/telemetry/log.ts';

/** Why a process has to stop, as its exit code, once it has to. */
export type ProcessGuard = { readonly stopped: Promise<number> };

/**
 * Lets nothing but an orderly stop end this process:
 *
 * - SIGTERM and SIGINT ask for the stop. The handlers stay, because npm forwards signals, so that Ctrl-C arrives twice, and a second signal
 *   without a handler would cut off the requests that the stop waits for.
 * - An error that nothing handles is reported. The loss of a connection, a file or a process, and a promise that nobody waits for, leave what is
 *   in memory as it was, so the service continues. After any other error it stops in order, with exit code 1, and its supervisor starts it again.
 */
export function guardProcess(log: Logger): ProcessGuard {
  const { promise: stopped, resolve } = Promise.withResolvers<number>();
  let isStopping = false;
  const stop = (code: number) => {
    isStopping = true;
    resolve(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (isStopping) log.warn({ signal }, 'a further signal was ignored, because the service is stopping');
      stop(0);
    });
  process.on('uncaughtException', (error, origin) => {
    const isHarmless = origin === 'unhandledRejection' || isOutsideFault(error);
    log.error({ err: error, origin }, 'an error was not handled');
    if (!isHarmless) stop(1);
  });
  return { stopped };
}

/** A connection, a file or a process failed: a system call, or the server of the database. */
function isOutsideFault(error: Error): boolean {
  return 'syscall' in error || isUnavailable(error);
}
