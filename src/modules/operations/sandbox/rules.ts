import { Refusal } from '#lib/refusal.ts';

/** What a sandbox was seeded with, and its test clock. */
export type Sandbox = {
  /** By how many milliseconds the test clock is ahead of the clock of the machine. */
  readonly ahead_ms: number;
  /** What the made-up people were drawn with; null until all of them are stored. */
  readonly seed: number | null;
  readonly member_count: number | null;
  readonly created_at: Date;
  /** The latest year that was asked for; null before the first. */
  readonly year: Year | null;
};

/** A year that is played: the acts of an organisation and its made-up members, drawn with a seed. */
export type Year = {
  readonly id: string;
  readonly seed: number;
  readonly org_id: string;
  /** The midnight of its first day; null until the clock can pass for it. */
  readonly began_at: Date | null;
  readonly acts_done: number;
  readonly acts_total: number;
  readonly status: YearStatus;
};

export const yearStatuses = ['running', 'finished', 'cancelled'] as const;

export type YearStatus = (typeof yearStatuses)[number];

/** How many of the made-up members have accounts: with them a developer, or a year, acts as members do. */
export const account_count = 20;

/** Counts the made-up members who have accounts. */
export function countAccounts(member_count: number | null): number {
  return Math.min(account_count, member_count ?? 0);
}

/** The email address of a made-up member who has an account. They are numbered from 1. */
export function formatMemberEmail(number: number): string {
  return `member-${number}@sandbox.example`;
}

const day_ms = 86_400_000;

/** The longest way of one advance: a stage of 30 days, and a day. */
export const advance_seconds_max = 31 * 86_400;

/** How far the clock can be ahead. The database refuses to forget audit entries of less than 184 days by its own clock, and they are kept for three years. */
const ahead_days_max = 800;

/**
 * Decides to which time the clock is advanced.
 *
 * @throws Refusal `clock_backwards`, `clock_limit_reached`.
 */
export function computeTarget(
  { now, ahead_ms }: { readonly now: Date; readonly ahead_ms: number },
  advance_seconds: number,
): Date {
  if (advance_seconds <= 0) throw new Refusal('clock_backwards');
  if (ahead_ms + advance_seconds * 1_000 > ahead_days_max * day_ms) throw new Refusal('clock_limit_reached');
  return new Date(now.getTime() + advance_seconds * 1_000);
}

/** The days of a year that is played: 52 weeks. */
export const year_days = 364;

/**
 * Decides when a year begins: at the next midnight (UTC), so that what happens at an hour of the day does so at the same hour of every year.
 *
 * @throws Refusal `clock_limit_reached` if the clock cannot go to its end.
 */
export function computeYearBeginning(clock: { readonly now: Date; readonly ahead_ms: number }): Date {
  const midnight_ms = (Math.floor(clock.now.getTime() / day_ms) + 1) * day_ms;
  const end_ms = midnight_ms + year_days * day_ms;
  computeTarget(clock, Math.ceil((end_ms - clock.now.getTime()) / 1_000));
  return new Date(midnight_ms);
}

/** Acts are at nine in the morning. */
const act_hour_ms = 9 * 3_600_000;

/** When the acts of a day of the year are played. */
export function computeActTime(began_at: Date, day: number): Date {
  return new Date(began_at.getTime() + day * day_ms + act_hour_ms);
}

/** The clock stops no more often than this, even if more is due. */
export const step_ms_min = 60_000;

/** How often the tasks that run by a schedule run at least on a long way: as after a pause, one run makes up for several. */
const stops_min = 8;

/** The longest step of an advance: the tasks that run by a schedule run once a day, or eight times on a longer way. */
export function computeLongestStep(began: Date, target: Date): number {
  return Math.max(day_ms, (target.getTime() - began.getTime()) / stops_min);
}

/** The longest step of a year, in which the clock stops for acts as well. */
export const year_step_ms = 7 * day_ms;

/** A way of the clock, and how far it goes at most before it stops for the tasks that run by a schedule. */
export type ClockWay = { readonly now: Date; readonly target: Date; readonly longest_ms: number };

/** Decides where the clock stops next on its way to `target`: when the next task is due that waits for its time, or after the longest step. */
export function computeStop({ now, target, longest_ms }: ClockWay, next: Date | undefined): Date {
  const [now_ms, target_ms] = [now.getTime(), target.getTime()];
  const wanted_ms = Math.min(next?.getTime() ?? Infinity, now_ms + longest_ms);
  return new Date(Math.min(Math.max(wanted_ms, now_ms + step_ms_min), target_ms));
}
