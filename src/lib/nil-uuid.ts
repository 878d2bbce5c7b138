/** The nil UUID (RFC 9562 section 5.9). No row has this id, and every id sorts after it, so a walk over ids can start here. */
export const nil_uuid = '00000000-0000-0000-0000-000000000000';
