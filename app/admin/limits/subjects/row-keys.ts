import type { Standing } from './ranking.tsx'

/** A unique key for each row: viewers from whom addresses are hidden get several subjects with the same key. */
export function rowKeys(standings: readonly Standing[]): readonly string[] {
  const seen = new Map<string, number>()
  return standings.map(({ subject, ruleSet, policy }) => {
    const key = `${subject.key} ${ruleSet} ${policy}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return `${key} ${nth}`
  })
}
