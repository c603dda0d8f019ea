/** What the board was mounted with. */
export const BOARD_OPTIONS = Symbol('BOARD_OPTIONS');
