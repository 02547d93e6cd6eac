/** Slices of large answers written in one turn of the event loop; each takes a few tenths of a millisecond. */
const EACH_TURN = 8

const waiting: (() => void)[] = []
let handed = 0
let isTurning = false

/**
 * Resolves when a large answer may write its next slice, first come, first served; returns null if it may do so at
 * once. Other requests wait for a few slices at most, however many answers there are and however fast their clients.
 */
export function sliceTurn(): Promise<void> | null {
  turnSoon()
  if (handed < EACH_TURN && waiting.length === 0) {
    handed += 1
    return null
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  return promise
}

function turnSoon(): void {
  if (isTurning) return
  isTurning = true
  setImmediate(turn)
}

function turn(): void {
  isTurning = false
  const next = waiting.splice(0, EACH_TURN)
  handed = next.length
  if (handed > 0) turnSoon()
  for (const go of next) go()
}
