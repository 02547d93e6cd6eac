import { declaredName } from '#format/rule-set-name.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Catalogue } from './catalogue.ts'
import type { ActiveOverride } from './overrides/override-book.ts'

/** A key of the limiter (server/limits/charges.ts), parsed. */
export interface CountedKey {
  readonly key: string
  /** Whom it counts, or the digest of an argument that all callers share: the text in its braces, but of such a count's part for one
   *  network, that network. */
  readonly subject: string
  /** The name under which its set counts. */
  readonly name: string
  /** The digest of the argument that it counts; null without one. */
  readonly digest: string | null
  /** Tells how its rules count. */
  readonly shape: string
}

const KEY = /^RATE:LIMIT:\{([^}]+)\}:([^:]+):(?:(.*):)?([A-Za-z0-9_-]{8})$/
const DIGEST = /[=:](#[A-Za-z0-9_-]{22})/

/** Parses a key; null for any other text. */
export function parseKey(key: string): CountedKey | null {
  const [, tag, name, part = '', shape] = KEY.exec(key) ?? []
  if (tag === undefined || name === undefined || shape === undefined) return null
  const isOfNetwork = name.endsWith('-network') && (tag === 'site' || tag.includes('=#'))
  const [, digest = null] = DIGEST.exec(key) ?? []
  return { key, subject: isOfNetwork ? part : tag, name, digest, shape }
}

/** Whom a count is of. A process of an earlier version tells no key, but what is in its braces. */
export const subjectOfCount = ({
  key = '',
  subject,
}: {
  readonly key?: string | undefined
  readonly subject: string
}) => parseKey(key)?.subject ?? subject

/** Returns every part that may count under the name of a key: of the declared set and of the overrides, with what each is for. Those
 *  of the key itself have its shape. */
export function partsOfKey(
  { name }: CountedKey,
  catalogue: Catalogue,
  overrides: readonly ActiveOverride[],
): readonly { readonly part: CompiledRuleSet; readonly override: ActiveOverride | null }[] {
  const ruleSet = nameOfSet(catalogue, name)
  const declared = catalogue.ruleSets.get(ruleSet)?.compiled ?? []
  const candidates = [
    ...overrides
      .filter((each) => each.ruleSet === ruleSet)
      .flatMap((override) => (override.sets ?? []).map((part) => ({ part, override }))),
    ...declared.map((part) => ({ part, override: null })),
  ]
  return candidates
    .flatMap(({ part, override }) => withCompanions(part).map((each) => ({ part: each, override })))
    .filter(({ part }) => part.facts.name === name)
}

/** Returns the rule set by whose name people know what counts under a name. */
export function nameOfSet({ ruleSets }: Pick<Catalogue, 'ruleSets'>, name: string): string {
  const declared = declaredName(name)
  return ruleSets.has(declared) ? declared : declared.replace(/-trial$/, '')
}

function withCompanions(part: CompiledRuleSet): readonly CompiledRuleSet[] {
  const { total, network } = part
  return [part, ...(total ? withCompanions(total) : []), ...(network ? withCompanions(network) : [])]
}
