/**
 * A task throws it if it waits for something outside itself. It is tried again after the pauses of its retries, the last of which is repeated
 * until the task can run, so the task never fails for this reason. The message, one line, says what it waits for.
 */
export class Postponement extends Error {}
