const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Formats a time for an email or a document: 2 March 2026 at 09:00 UTC. The service does not know the time zone of its users. */
export function formatUtcTime(time: Date): string {
  return `${format.format(time)} UTC`;
}
