import type { Standing } from './ranking.tsx'

/** A key for every row, no two alike: several subjects are shown as one to those from whom addresses are hidden. */
export function rowKeys(standings: readonly Standing[]): readonly string[] {
  const seen = new Map<string, number>()
  return standings.map(({ subject, ruleSet, policy }) => {
    const key = `${subject.key} ${ruleSet} ${policy}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return `${key} ${nth}`
  })
}
