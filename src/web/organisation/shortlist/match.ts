import type * as matching from '#modules/matching/matches';
import type { OperationBody } from '#platform/operation.ts';

/** A person on a list, as the organisation sees them. */
export type Match = OperationBody<typeof matching.listJobMatches>['data'][number];
