/** Returns a function that accepts values in any order and passes them on by index, each as soon as all before it are there. */
export function inOrder<T extends object>(pass: (value: T) => void): (index: number, value: T) => void {
  const waiting = new Map<number, T>()
  let next = 0
  return (index, value) => {
    waiting.set(index, value)
    for (let first = waiting.get(next); first; first = waiting.get(next)) {
      waiting.delete(next)
      next += 1
      pass(first)
    }
  }
}
