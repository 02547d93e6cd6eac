import type { Lane } from '#server/turns/lanes.ts'
import { createTurns } from '#server/turns/loop-turns.ts'

/** Slices of large answers written in one turn of the event loop; each takes a few tenths of a millisecond. */
const EACH_TURN = 8

/** Resolves when a large answer may write its next slice, however many answers its client's network reads and however fast. */
export const sliceTurn: (lane: Lane) => Promise<void> | null = createTurns(EACH_TURN)
