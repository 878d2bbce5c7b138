import * as jobs from '#modules/matching/jobs';
import type { Row } from '#platform/http/row.ts';
import { row } from './row.ts';

/** A part of TABLE 1: the boards that organisations follow. */
export const boardRows: readonly Row[] = [
  row('GET', '/orgs/me/boards', 'jwt', jobs.listBoards),
  row('POST', '/orgs/me/boards', 'jwt', jobs.followBoard),
  row('GET', '/orgs/me/boards/{board_id}', 'jwt', jobs.readBoard),
  row('PATCH', '/orgs/me/boards/{board_id}', 'jwt', jobs.updateBoard),
  row('DELETE', '/orgs/me/boards/{board_id}', 'jwt', jobs.unfollowBoard),
  row('POST', '/orgs/me/boards/{board_id}/read', 'jwt', jobs.readBoardNow),
  row('GET', '/orgs/me/board-changes', 'jwt', jobs.listBoardChanges),
  row('DELETE', '/orgs/me/board-changes/{change_id}', 'jwt', jobs.dismissBoardChanges),
];
