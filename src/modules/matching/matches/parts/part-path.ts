/** Where a part answers, on the internal port. */
export const part_path = '/match-index/part';
