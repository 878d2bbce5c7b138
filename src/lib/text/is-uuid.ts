const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether text is an id (RFC 9562 section 4), in lower or upper case. `readOutsideValue` gives it its one spelling, if it is compared as text. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
