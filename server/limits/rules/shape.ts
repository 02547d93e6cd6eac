import { createHash } from 'node:crypto'
import type { Unit } from '../rule-set.ts'
import type { Algorithm } from './compiled.ts'

/** Returns eight characters that identify how a rule set counts. The limits are left out: changing a limit keeps the
 *  usage so far; changing an algorithm, a unit or a window starts afresh, because a history trimmed to one window
 *  cannot serve a longer one. `windows` describes how each rule divides time. */
export function shapeOf(algorithm: Algorithm, unit: Unit, windows: readonly string[]): string {
  return createHash('sha256')
    .update([algorithm, unit, ...windows].join(' '))
    .digest('base64url')
    .slice(0, 8)
}
