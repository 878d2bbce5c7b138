import type { ServerState } from '#platform/database/probe.ts';

const ask_again_ms = 1_000;

/** Follows whether a server accepts writes. */
export type Availability = {
  /** Asks the server. */
  readState(): Promise<ServerState>;
  /** Returns the state that was found last; `up` before the first question. */
  getLastState(): ServerState;
  /** Says that a statement failed because the server is unavailable: it is asked now, and every second until it accepts writes again. */
  reportFailure(): void;
  close(): void;
};

/** Follows the state of a server. Each change is reported once, however many statements fail meanwhile. */
export function followAvailability(
  askServer: () => Promise<ServerState>,
  onChange: (state: ServerState) => void,
): Availability {
  let last: ServerState = 'up';
  let timer: NodeJS.Timeout | undefined;
  let isFollowing = false;
  let isClosed = false;
  const readState = async () => {
    const state = await askServer();
    if (state !== last && !isClosed) {
      last = state;
      onChange(state);
    }
    return state;
  };
  const follow = async () => {
    isFollowing = (await readState()) !== 'up' && !isClosed;
    if (isFollowing) timer = setTimeout(() => void follow(), ask_again_ms).unref();
  };
  return {
    readState,
    getLastState: () => last,
    reportFailure: () => {
      if (isFollowing || isClosed) return;
      isFollowing = true;
      void follow();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
