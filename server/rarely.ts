/** Returns a function that calls `report` at most once every `ms` milliseconds, with the latest value and the number of values
 *  since the last report. */
export function rarely<T>(
  ms: number,
  report: (last: T, times: number) => void,
  now = () => performance.now(),
): (value: T) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  let times = 0
  return (value) => {
    times += 1
    if (now() - reportedAt < ms) return
    reportedAt = now()
    report(value, times)
    times = 0
  }
}
