/** The code of a system's, SQLite's or PostgreSQL's error: `ENOENT`, `3D000`. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
