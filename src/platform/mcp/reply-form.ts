/** The forms in which a client reads a reply: JSON, a stream of events, or either. */
export type ReplyForm = 'json' | 'stream' | 'any';

/** What the protocol's library demands of every client. */
export const full_accept = 'application/json, text/event-stream';

/**
 * Chooses the form of a reply by the Accept header. The protocol demands both media types; many hosts send one of them, a wildcard or nothing, and
 * then read JSON, unless they name the stream alone.
 *
 * @returns undefined if the client reads neither.
 */
export function chooseReplyForm(accept = '*/*'): ReplyForm | undefined {
  const types = accept.split(',').flatMap((each) => {
    const [type = '', ...parameters] = each.toLowerCase().split(';');
    return parameters.some((parameter) => /^\s*q=0(?:\.0*)?\s*$/.test(parameter)) ? [] : [type.trim()];
  });
  const hasStream = types.includes('text/event-stream');
  if (types.includes('application/json')) return hasStream ? 'any' : 'json';
  if (hasStream) return 'stream';
  if (types.some((type) => type === '*/*' || type === 'application/*')) return 'json';
  return types.includes('text/*') ? 'stream' : undefined;
}

/** Writes a message of JSON-RPC as the only event of a stream. */
export function writeEvent(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}

/** Reads the last event of a stream, which is the reply, or returns JSON as it is. */
export function readMessage(content: string): string {
  const events = [...content.matchAll(/^data: ?(.+)$/gm)];
  return content.startsWith('{') ? content : (events.at(-1)?.[1] ?? content);
}
