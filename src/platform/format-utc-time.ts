const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats the date of a time in UTC for an email or a document: 2 March 2026. */
export function formatUtcDate(time: Date): string {
  return dateFormat.format(time);
}

/** Formats a time for an email or a document: 2 March 2026 at 09:00 UTC. The service does not know the time zone of its users. */
export function formatUtcTime(time: Date): string {
  return `${format.format(time)} UTC`;
}
