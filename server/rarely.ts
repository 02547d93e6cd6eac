/** Calls `tell` at most once in so many milliseconds, with how many times it was to be called since. */
export function rarely<T>(
  ms: number,
  tell: (last: T, times: number) => void,
  now = () => performance.now(),
): (value: T) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  let times = 0
  return (value) => {
    times += 1
    if (now() - toldAt < ms) return
    toldAt = now()
    tell(value, times)
    times = 0
  }
}
