import type { NearLimit, RefusedSubject } from './limiter-stats.ts'

/** The length of a list of subjects. */
export const SUBJECTS = 20

/** The fullest first; equally full subjects by the latest call first. */
export function byFullness(a: NearLimit, b: NearLimit): number {
  return b.used / b.limit - a.used / a.limit || b.at - a.at || byName(a, b)
}

/** The most refused first; equals by the latest refusal first. */
export function byRefusals(a: RefusedSubject, b: RefusedSubject): number {
  return b.refused - a.refused || b.lastAt - a.lastAt || byName(a, b)
}

function byName(a: NearLimit | RefusedSubject, b: NearLimit | RefusedSubject): number {
  if (a.policy !== b.policy) return a.policy < b.policy ? -1 : 1
  return a.subject < b.subject ? -1 : Number(a.subject > b.subject)
}
