/** What the doctor found about one subject, with its mend if it is not well. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'broken'
  readonly subject: string
  readonly text: string
}

/** Returns functions that make findings about a subject. */
export const findings = (subject: string) => ({
  ok: (text: string): Finding => ({ level: 'ok', subject, text }),
  warning: (text: string): Finding => ({ level: 'warning', subject, text }),
  broken: (text: string): Finding => ({ level: 'broken', subject, text }),
})

/** Differences of clocks that nobody notices, and those by which sessions, links and signatures fail. */
const NOTICED_MS = 5_000
const FAILING_MS = 5 * 60_000

/** Compares the clock of a server with this machine's. */
export function checkClock(server: string, aheadMs: number): readonly Finding[] {
  const { warning, broken } = findings('clock')
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const text = `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} that of ${server}. Set both by NTP.`
  if (Math.abs(aheadMs) < NOTICED_MS) return []
  return [Math.abs(aheadMs) < FAILING_MS ? warning(text) : broken(text)]
}
