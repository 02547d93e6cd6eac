import { KnownKey, KnownKeys } from './known-keys.ts'
import type { CountBy } from './rule-set.ts'
import type { CompiledRuleSet, InputArgument } from './rules/compiled.ts'
import { distinctValues, valueAt } from './rules/input-path.ts'
import { type AnyCaller, digest, networkOf, plainSubjectOf, safe, subjectOf, totalSubjectOf } from './subject.ts'

/** A set, or what is compiled along with it, with the key under which it counts. */
export interface Counter {
  readonly part: CompiledRuleSet
  readonly key: KnownKey
}

const knownSubjects = new KnownKeys()
/** Kept apart from subjects, so that a caller who keeps sending new arguments evicts no subject's key. */
const knownArguments = new KnownKeys()

/** Keys of longer argument texts, in characters, are not cached: callers may send anything. */
const LONGEST_KNOWN = 64

/** The key under which a set counts whom `by` names. */
export function subjectKeyOf(set: CompiledRuleSet, by: CountBy, caller: AnyCaller): KnownKey {
  const plain = plainSubjectOf(by, caller)
  if (plain === null) return new KnownKey(spell(set, subjectOf(by, caller)))
  return knownSubjects.get(set, plain, spellSubject)
}

/** The key of the caller's network's part of a shared count, in the slot of what all callers share, so that both are
 *  taken in one step. */
export function networkKeyOf(network: CompiledRuleSet, shared: string, caller: AnyCaller): KnownKey {
  return new KnownKey(spellNetwork(network, shared, caller))
}

/** The argument, where it is a single short text and counted for all callers together; null for anything else. */
export function plainArgumentOf({ input: path, per }: InputArgument, input: unknown): string | null {
  if (per !== null) return null
  const value = valueAt(input, path)
  return typeof value === 'string' && value.length <= LONGEST_KNOWN ? value : null
}

/** The key of an argument that `plainArgumentOf` has found. */
export function argumentKeyOf(set: CompiledRuleSet, plain: string): KnownKey {
  return naming(knownArguments.get(set, plain, spellArgument), plain)
}

/** The key of the caller's network's part of the count of such an argument. */
export function networkArgumentKeyOf(network: CompiledRuleSet, plain: string, caller: AnyCaller): KnownKey {
  return naming(knownArguments.get(network, `${networkOf(caller)} ${plain}`, spellNetworkArgument), plain)
}

/** A shared count, and the caller's network's part of it. `argument`: the value that they count, with a colon behind it. */
export function countersOf(
  set: CompiledRuleSet,
  shared: string,
  caller: AnyCaller,
  argument = '',
  name: string | null = null,
): Counter[] {
  const own = { part: set, key: new KnownKey(spell(set, shared, argument), name) }
  const { network } = set
  if (!network) return [own]
  return [own, { part: network, key: new KnownKey(spellNetwork(network, shared, caller, argument), name) }]
}

/** What a set counts for a call whose argument is a list, a number or a long text, or is counted for each caller apart.
 *  Throws RangeError for too long a list, and TypeError for an argument that cannot be counted. */
export function argumentCounters(
  set: CompiledRuleSet,
  by: InputArgument,
  caller: AnyCaller,
  input: unknown,
): Counter[] {
  const texts = distinctValues(valueAt(input, by.input))
  // Distinct once more: lone surrogates are all encoded alike in UTF-8, and so have the same digest.
  const named = new Map(texts.map((text) => [digest(`${by.input}=${text}`), shortArgument(text)]))
  const { per } = by
  if (per === null)
    return [...named].flatMap(([value, name]) => countersOf(set, `${by.input}=${value}`, caller, '', name))
  const own = subjectOf(per, caller)
  const counters = [...named].map(([value, name]) => ({
    part: set,
    key: new KnownKey(spell(set, own, `${value}:`), name),
  }))
  const { total } = set
  const all = total && totalSubjectOf(per, caller)
  if (!total || !all) return counters
  return [...counters, ...[...named.keys()].flatMap((value) => countersOf(total, all, caller, `${value}:`))]
}

/** The value of a text that `distinctValues` has made, without its type; null for a long one. */
function shortArgument(text: string): string | null {
  const value = text.slice(text.indexOf(':') + 1)
  return value.length <= LONGEST_KNOWN ? value : null
}

/** Notes what a key counts, for those who read the statistics. */
function naming(known: KnownKey, argument: string): KnownKey {
  if (known.argument === null) known.argument = argument
  return known
}

function spellSubject(set: CompiledRuleSet, plain: string): string {
  return spell(set, safe(plain))
}

function spellArgument(set: CompiledRuleSet, plain: string, behind = ''): string {
  const { by } = set.facts
  if (typeof by === 'string') throw new TypeError(`${set.facts.name} counts no argument`)
  const [text] = distinctValues(plain)
  return spell(set, `${by.input}=${digest(`${by.input}=${text}`)}`, behind)
}

/** `plain`: the network and the argument. A network contains no space. */
function spellNetworkArgument(network: CompiledRuleSet, plain: string): string {
  const end = plain.indexOf(' ')
  return spellArgument(network, plain.slice(end + 1), `${plain.slice(0, end)}:`)
}

function spellNetwork(network: CompiledRuleSet, shared: string, caller: AnyCaller, argument = ''): string {
  return spell(network, shared, `${argument}${networkOf(caller)}:`)
}

function spell({ facts, shape }: CompiledRuleSet, subject: string, behind = ''): string {
  return `RATE:LIMIT:{${subject}}:${facts.name}:${behind}${shape}`
}
