import { startJobsAndPeople, type Account } from './jobs-and-people.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';
import { startMembers, type MeasuredMember } from './members.ts';
import { startErasures, startPayouts, startReading, type ReadingOrganisation } from './money.ts';
import type { Send } from './send.ts';
import { openWriteLog, type WriteLog } from './write-log.ts';

/** What clients write, and how many write each kind at the same time. */
export const clientsByKind = {
  registrations: 7,
  answers: 6,
  jobs: 2,
  closings: 2,
  reads: 2,
  payouts: 1,
  erasures: 2,
} as const;

/** The kinds of writes. */
export const kinds = Object.keys(clientsByKind) as readonly (keyof typeof clientsByKind)[];

/** Clients that write everything until they are stopped. */
export type Load = {
  readonly log: WriteLog;
  readonly mailbox: Mailbox;
  /** Payments that brought something else when they were sent again. */
  readonly differences: readonly string[];
  /** Waits until writes of every kind that began after this call have been acknowledged. */
  readonly waitForWrites: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** More members than this, and the oldest is erased. */
const members_max = 24;

/** One in so many people who only registered is erased. */
const erased_one_in = 3;

type Organisations = {
  /** Tokens of administrators who create jobs. */
  readonly creating: readonly string[];
  readonly reading: readonly ReadingOrganisation[];
};

/** Starts all clients: registrations, assessments, jobs, paid reads, payouts and erasures. */
export function startWholeLoad(
  send: Send,
  { creating, reading }: Organisations,
  mailFolders: readonly string[],
): Load {
  const log = openWriteLog();
  const mailbox = openMailbox(mailFolders);
  const differences: string[] = [];
  const members: MeasuredMember[] = [];
  const [leavingPeople, leavingMembers]: [Account[], Account[]] = [[], []];
  const onRegistered = (account: Account) => {
    if (log.list('registrations').length % erased_one_in === 0) leavingPeople.push(account);
  };
  const onMeasured = (member: MeasuredMember) => {
    members.push(member);
    if (members.length > members_max) leavingMembers.push(members.shift()!);
  };
  const clients = [
    startJobsAndPeople(log, send, creating, onRegistered),
    startMembers({ log, send, mailbox }, clientsByKind.answers, onMeasured),
    ...reading.map((each) => startReading(log, send, each, (key) => differences.push(key))),
    startPayouts(log, send, members),
    startErasures(log, send, () => leavingPeople.shift()),
    startErasures(log, send, () => leavingMembers.shift()),
  ];
  // A client whose defect ended it would be missed at the next event: this ends the run.
  const ended = Promise.all(clients);
  return {
    log,
    mailbox,
    differences,
    waitForWrites: async () => {
      await Promise.race([
        ended,
        Promise.all(kinds.map((kind) => log.waitForWrites(kind, clientsByKind[kind]))),
      ]);
    },
    stop: async () => {
      log.stop();
      await ended;
    },
  };
}
