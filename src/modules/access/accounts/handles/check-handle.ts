import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { findHandleHolder } from '../store-handles.ts';
import { computeHandleSkeleton, isReservedHandle } from './rules.ts';
import { availabilityWire, handleInput } from './wire.ts';

export const checkHandle = operation({
  name: 'accounts.checkHandle',
  title: 'Check a handle',
  summary:
    'Says whether a new account can have a handle. Another person may take it before the account is created.',
  who: 'anyone',
  input: Type.Object({ handle: handleInput }),
  output: { 200: availabilityWire },
  run: async ({ database }, { handle }) => {
    if (isReservedHandle(handle)) return { handle, is_available: false, reason: 'reserved' as const };
    const holder = await findHandleHolder(database, computeHandleSkeleton(handle));
    return holder
      ? { handle, is_available: false, reason: 'taken' as const }
      : { handle, is_available: true, reason: null };
  },
});
