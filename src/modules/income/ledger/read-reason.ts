import { OperatorError } from '#platform/command-line.ts';

const reason_length_max = 200;

/** Reads why an operator changes the books. @throws OperatorError if it is empty or too long. */
export function readReason(text: string): string {
  if (text.trim() === '' || text.length > reason_length_max)
    throw new OperatorError(`the reason must have at most ${reason_length_max} characters`);
  return text;
}
