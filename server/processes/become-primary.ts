import { join } from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import type { Config } from '#server/config.ts'

/** What the primary process knows of the settings. */
export interface PrimarySettings {
  readonly count: number
  readonly logLevel: Config['logLevel']
  /** Whether somebody may read its metrics. */
  readonly isWatched: boolean
}

/** Replaces this process, which has read the settings and built what was stale, by the primary: the memory of that is not kept.
 *  Throws CannotStart where a process cannot be replaced. */
export function becomePrimary({ processes, logLevel, metrics }: Config, environment: NodeJS.ProcessEnv): void {
  const isWatched = metrics.token !== null || metrics.addresses.length > 0
  const settings: PrimarySettings = { count: processes.count, logLevel, isWatched }
  const program = join(import.meta.dirname, 'primary.ts')
  const { execPath, execArgv, execve } = process
  if (!execve) throw new CannotStart('SLUICE_PROCESSES needs Linux or macOS, and Node 24. Remove it.')
  execve(execPath, [execPath, ...execArgv, program, JSON.stringify(settings)], environment)
}

/** Returns what this process was given by `becomePrimary`. */
export const readPrimarySettings = (): PrimarySettings => JSON.parse(process.argv[2] ?? '')
