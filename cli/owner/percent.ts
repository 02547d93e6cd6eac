import { formatShare } from '#format/counts.ts'
import type { cli } from '#messages/en/cli.ts'
import { translate } from '#messages/translate.ts'
import { type Io, say } from '../command.ts'

/** Milliseconds between updates on a terminal, and between lines in a log. */
const TERMINAL_MS = 200
const LOG_MS = 10_000

type Step = keyof typeof cli.owner.steps

/** Shows progress on standard error. */
export interface Percent {
  at(step: Step, bytes: number, of: number): void
  /** Clears the line. */
  end(): void
}

export function showPercent(io: Io): Percent {
  const { stderr } = io
  const eachMs = stderr.isTTY ? TERMINAL_MS : LOG_MS
  let next = performance.now() + eachMs
  let isOpen = false
  return {
    at(step, bytes, of) {
      if (performance.now() < next) return
      next = performance.now() + (stderr.isTTY === true ? TERMINAL_MS : LOG_MS)
      const line = translate('cli.owner.percent', {
        step: translate(`cli.owner.steps.${step}`),
        share: formatShare(of === 0 ? 1 : Math.min(1, bytes / of), 'en'),
        size: { bytes: of },
      })
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
