/** A rule set's name in parts: the set whose title it has, and what it counts as a whole: a shared account, or a network. */
export interface RuleSetName {
  /** Its key among the messages `ruleSets.title`, where a dot would begin another level. */
  readonly key: string
  readonly whole: 'account' | 'network' | null
}

/** `@procedure` at the end says that a procedure counts by itself, which a title need not. */
export function parseRuleSetName(name: string): RuleSetName {
  const [, network, own = name, suffix] = /^(network-)?(.+?)(?:@.*?)?(-total|-network)?$/.exec(name) ?? []
  const whole = suffix === '-total' ? 'account' : network || suffix ? 'network' : null
  return { key: own.replaceAll('.', '-'), whole }
}
