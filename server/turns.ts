/**
 * Returns a function that resolves when its caller may take its next step, first come, first served; it returns null if
 * that is at once. At most `each` steps are taken in one turn of the event loop, so that everything else waits for no
 * more than these.
 */
export function createTurns(each: number): () => Promise<void> | null {
  const waiting: (() => void)[] = []
  let taken = 0
  let isTurning = false
  const turnSoon = () => {
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }
  const turn = () => {
    isTurning = false
    const next = waiting.splice(0, each)
    taken = next.length
    if (taken > 0) turnSoon()
    for (const go of next) go()
  }
  return () => {
    turnSoon()
    if (taken < each && waiting.length === 0) {
      taken += 1
      return null
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    return promise
  }
}
