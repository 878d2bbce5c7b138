/** Returns the code of an error of the system, SQLite or PostgreSQL, such as `ENOENT` or `3D000`. */
export function readErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Returns the message of an error, or the text of any other thrown value. */
export function readErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
