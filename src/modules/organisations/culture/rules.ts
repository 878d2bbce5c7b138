import type { Answers, Scores } from './score.ts';

/**
 * The fewest respondents behind a profile, and behind the difference between two profiles. With fewer, a reader who knows the opinions of
 * the others could compute the answers of one respondent; five is the usual minimum of employee surveys.
 */
export const minimum_respondents = 5;

/**
 * How many more users must answer before the next version. Only users whose answers are in no version yet count: if every answer made a
 * version, the difference between two versions would reveal one respondent's answers exactly.
 */
export function countMissingRespondents(unpublished: number): number {
  return Math.max(0, minimum_respondents - unpublished);
}

/**
 * What a profile is based on: the answers of at least five respondents, or what an organisation of fewer than five users declares about
 * itself. A declaration is one statement of all, so that there are no answers of single people that it could reveal.
 */
export const cultureBases = ['measured', 'declared'] as const;

export type CultureBasis = (typeof cultureBases)[number];

/** A version of an organisation's culture profile. A version never changes. */
export type CultureProfile = Scores & {
  readonly org_id: string;
  readonly version: number;
  readonly questionnaire_version: string;
  readonly basis: CultureBasis;
  /** None for a declared profile. */
  readonly respondents: number;
  readonly computed_at: Date;
};

/** How long a declaration is kept from being replaced by another one. Without a pause, an organisation could try one culture after another. */
const declaration_days = 7;

const day_ms = 86_400_000;

/** What decides whether an organisation may declare a profile: its users, and its latest profile. */
export type DeclarationFacts = {
  readonly users: number;
  readonly latest: { readonly basis: CultureBasis; readonly computed_at: Date } | undefined;
};

/** Why an organisation may not declare a profile. */
export const declarationRefusals = [
  'culture_declaration_measured',
  'culture_declaration_too_many_users',
  'culture_declaration_too_soon',
] as const;

/** Whether an organisation may declare a profile now, and why not. The time is that from which it may, if only time is missing. */
export type DeclarationTerms = {
  readonly refused: (typeof declarationRefusals)[number] | null;
  readonly possible_from: Date | null;
};

/** Decides whether an organisation may declare a profile. A measured one is never replaced by a declared one. */
export function decideDeclaration({ users, latest }: DeclarationFacts, now: Date): DeclarationTerms {
  if (latest?.basis === 'measured') return { refused: 'culture_declaration_measured', possible_from: null };
  if (users >= minimum_respondents)
    return { refused: 'culture_declaration_too_many_users', possible_from: null };
  const possible_from = latest ? new Date(latest.computed_at.getTime() + declaration_days * day_ms) : now;
  return possible_from > now
    ? { refused: 'culture_declaration_too_soon', possible_from }
    : { refused: null, possible_from: null };
}

/** How long a draft is kept after its last answer. */
const draft_days = 30;

/** Answers that are saved and not sent: to some items and blocks. */
export type Draft = Answers & { readonly saved_at: Date };

/** When a draft is deleted whose last answer was saved at this time. */
export function computeDraftEnd(saved_at: Date): Date {
  return new Date(saved_at.getTime() + draft_days * day_ms);
}

/** Drafts that were saved before this time have ended. */
export function computeDraftHorizon(now: Date): Date {
  return new Date(now.getTime() - draft_days * day_ms);
}
