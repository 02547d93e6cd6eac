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

/** Returns the name of the declared set whose calls are counted under a name: without the suffix of what is compiled along with it,
 *  and without the procedure that counts by itself. */
export const declaredName = (name: string): string => name.replace(/-(?:total|network)$/, '').replace(/@.*$/, '')

/** Returns the only procedure or route whose calls are counted under a name; undefined for all that use the set. */
export const countedProcedure = (name: string): string | undefined => /@(.+?)(?:-total|-network)?$/.exec(name)?.[1]
