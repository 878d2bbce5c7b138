/** The mark of the service: the two halves of a broken token, as SVG paths on a square of 24. The crack of one half is the crack of the other. */
export const markHalves = {
  left: 'M6.5 3h5.2L10 7.6l3.1 3.3-3.6 3.7 1.9 2.9-1.6 3.5H6.5A3.5 3.5 0 0 1 3 17.5v-11A3.5 3.5 0 0 1 6.5 3z',
  right: 'M14.2 3h3.3A3.5 3.5 0 0 1 21 6.5v11a3.5 3.5 0 0 1-3.5 3.5h-5.2l1.4-3.3-2-3 3.7-3.8-3.1-3.4z',
} as const;
