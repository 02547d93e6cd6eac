import { formatBytes } from '#format/bytes.ts'
import { type Io, say } from '../command.ts'

/** Milliseconds between two looks of a person at a terminal, and between two lines of a log. */
const TERMINAL_MS = 200
const LOG_MS = 10_000

/** Tells on standard error how far something has come. */
export interface Percent {
  at(step: string, bytes: number, of: number): void
  /** Leaves the line. */
  end(): void
}

export function tellPercent(io: Io): Percent {
  const { stderr } = io
  const eachMs = stderr.isTTY ? TERMINAL_MS : LOG_MS
  let next = performance.now() + eachMs
  let isOpen = false
  return {
    at(step, bytes, of) {
      if (performance.now() < next) return
      next = performance.now() + (stderr.isTTY === true ? TERMINAL_MS : LOG_MS)
      const share = of === 0 ? 100 : Math.min(100, Math.floor((100 * bytes) / of))
      const line = `${step}: ${share} % of ${formatBytes(of)}`
      isOpen = stderr.isTTY === true
      if (isOpen) stderr.write(`\r\u001b[K${line}`)
      else say(io, line)
    },
    end() {
      if (isOpen) stderr.write('\r\u001b[K')
      isOpen = false
    },
  }
}
