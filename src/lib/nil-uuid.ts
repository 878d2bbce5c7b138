/** The nil UUID (RFC 9562 section 5.9): no row has it, and every id sorts after it, so that a walk over ids starts here. */
export const nil_uuid = '00000000-0000-0000-0000-000000000000';
