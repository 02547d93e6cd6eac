/** Passes on what comes in any order in the order of its numbers, each as soon as all before it are there. */
export function inOrder<T>(pass: (value: T) => void): (index: number, value: T) => void {
  const waiting = new Map<number, T>()
  let next = 0
  return (index, value) => {
    waiting.set(index, value)
    for (; waiting.has(next); next += 1) {
      const value = waiting.get(next)
      if (value !== undefined) pass(value)
      waiting.delete(next)
    }
  }
}
