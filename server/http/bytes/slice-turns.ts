import { createTurns } from '#server/turns.ts'

/** Slices of large answers written in one turn of the event loop; each takes a few tenths of a millisecond. */
const EACH_TURN = 8

/** Resolves when a large answer may write its next slice, however many answers there are and however fast their clients. */
export const sliceTurn = createTurns(EACH_TURN)
