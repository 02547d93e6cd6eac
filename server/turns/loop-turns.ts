import { type Lane, Lanes } from './lanes.ts'

interface Step {
  readonly lane: Lane
  take(): void
}

/**
 * Returns a function that resolves when its caller may take its next step; it returns null if that is at once. At most `each`
 * steps are taken in one turn of the event loop, so that everything else waits for no more than these. Lanes take turns,
 * however many wait in one.
 */
export function createTurns(each: number): (lane?: Lane) => Promise<void> | null {
  const waiting = new Lanes<Step>()
  let taken = 0
  let isTurning = false
  const turnSoon = () => {
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }
  const turn = () => {
    isTurning = false
    taken = Math.min(each, waiting.count)
    if (taken > 0) turnSoon()
    for (let left = taken; left > 0; left -= 1) {
      const next = waiting.next()
      if (!next) return
      waiting.remove(next)
      next.take()
    }
  }
  return (lane = ['all']) => {
    turnSoon()
    if (taken < each && waiting.count === 0) {
      taken += 1
      return null
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add({ lane, take: resolve })
    return promise
  }
}
