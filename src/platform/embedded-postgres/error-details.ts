/** The code of a system's, SQLite's or PostgreSQL's error: `ENOENT`, `3D000`. */
export function readErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** What an error says, whatever was thrown. */
export function readErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
