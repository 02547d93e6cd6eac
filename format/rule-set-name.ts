/** A rule set's name in parts: the set whose title it has, and what it counts as a whole: a shared account, or a network. */
export interface RuleSetName {
  /** Its key among the messages `ruleSets.title`, where a dot would begin another level. */
  readonly key: string
  readonly whole: 'account' | 'network' | null
}

export function parseRuleSetName(name: string): RuleSetName {
  const own = name.replace(/^network-|-(total|network)$/, '')
  const whole = /-total$/.test(name) ? 'account' : 'network'
  return { key: own.replaceAll('.', '-'), whole: own === name ? null : whole }
}
