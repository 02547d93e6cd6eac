import { existsSync, readFileSync } from 'node:fs'

/** Linux: the limits of this process. */
const LIMITS = '/proc/self/limits'

/** Files that a process opens besides those of its connections: libraries, logs, databases, Redis, the bucket. */
const OTHER_FILES = 200

/** How many files this process may open, connections included; Infinity where there is no limit, or none is known. Node has
 *  raised it as far as it may. */
export function readFileLimit(): number {
  const text = existsSync(LIMITS) ? readFileSync(LIMITS, 'utf8') : ''
  return Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY)
}

/** How many connections a process may hold that may open so many files: one with an image in flight takes two. */
export function fitConnections(files: number): number {
  return Math.max(1, Math.floor((files - OTHER_FILES) / 2))
}
