import { createHash } from 'node:crypto'
import type { Algorithm } from './rule-set.ts'

/** Eight characters that stand for how a rule set counts. The limits are left out: changing a limit keeps the usage so
 *  far, changing an algorithm or a window starts afresh, for a history trimmed to one window cannot serve a longer one. */
export function shapeOf(algorithm: Algorithm, windows: readonly number[]): string {
  const unit = 'calls'
  const text = [algorithm, unit, ...windows.toSorted((a, b) => a - b)].join(' ')
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}
