import cluster from 'node:cluster'
import { format, stripVTControlCharacters } from 'node:util'
import { type Logger, pino } from 'pino'

/** Opens the log: a line of JSON each, on standard output. Lines of one of several workers have its number. */
export const openLog = (level: string): Logger =>
  pino({
    level,
    base: cluster.worker ? { worker: cluster.worker.id } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (name) => ({ level: name }) },
  })

const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

/** Has what programs print by the console (this one at its start, Next, libraries), Node's warnings and the error that ends the
 *  process written as lines of the log, unless a person reads them in a terminal. */
export function logEverything(): void {
  if (process.stdout.isTTY) return
  const log = openLog('debug')
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, (typeof levels)['log']][]) {
    console[method] = (...parts: unknown[]) => {
      const message = stripVTControlCharacters(format(...parts)).trim()
      if (message) log[level](message)
    }
  }
  // Node's own listener prints it as text.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    // As `--disable-warning` of `npm start` says.
    if (warning.name !== 'ExperimentalWarning') log.warn({ err: describe(warning) }, 'warning of Node')
  })
  process.on('uncaughtException', (err) => {
    log.fatal({ err: describe(err) }, 'the server ends by a bug')
    process.exit(1)
  })
}

/** Without what hangs on an error: a warning about too many listeners holds the request, with its cookies. */
const describe = ({ name, message, stack }: Error) => ({ type: name, message, stack })
