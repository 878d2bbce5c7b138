/** Sends a message to the benchmark that started this process. */
export function sendToParent(message: unknown): void {
  if (!process.send) throw new Error('only a benchmark can start this program');
  process.send(message);
}

/** Prevents this process from ending before its parent ends it, although `report-usage.ts` has released the channel. */
export function waitForMessages(): void {
  process.channel?.ref();
}
