import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { nightlyWork, queueWork } from './start-work.ts';

/** Queues nightly work from the command line. @throws OperatorError if no work has this name. */
export async function startWorkFromCommand(
  platform: Platform,
  { work: name }: Readonly<Record<string, string>>,
): Promise<{ readonly queued: string }> {
  const work = nightlyWork.find((each) => each === name);
  if (!work) throw new OperatorError(`<work> must be one of ${nightlyWork.join(', ')}`);
  await platform.database.transaction((tx) => queueWork(platform, tx, work));
  return { queued: work };
}
