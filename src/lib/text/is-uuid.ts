const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether text from outside is an id (RFC 9562 section 4), as `readOutsideValue` has read it. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
