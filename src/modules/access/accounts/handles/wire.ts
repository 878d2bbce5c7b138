import { Type } from 'typebox';
import { closedObject, field, nullable, patternText } from '#platform/schema.ts';
import { handle_characters_max, handle_reason, handlePattern } from './rules.ts';

/** A handle in a request, in its canonical spelling. */
export const handleInput = field(
  patternText(handlePattern, handle_reason, { maxLength: handle_characters_max }),
  'The handle: 3 to 32 small letters, digits, hyphens and underscores.',
  'ada-lind',
);

/** Why a handle cannot be chosen. */
const refusalReasons = ['taken', 'reserved'] as const;

export const availabilityWire = closedObject({
  handle: field(Type.String(), 'The handle.', 'ada-lind'),
  is_available: field(Type.Boolean(), 'Whether a new account can have it now.', true),
  reason: field(
    nullable(Type.Enum(refusalReasons)),
    '`taken`: an account has it, or one that looks the same. `reserved`: nobody can have it. Null if it is available.',
    null,
  ),
});
