import { spellDuration } from '#format/durations.ts'
import type { AddedSetItem } from '../types.ts'
import { blankRule, parseAmount } from './rule-draft.ts'
import { parseCharging, parseTermsDraft, type TermsDraft, toTermsDraft } from './terms-draft.ts'

export type AddedSet = NonNullable<AddedSetItem['set']>

/** A rule set to add, as form values. */
export interface AddedDraft {
  readonly name: string
  readonly procedure: string
  /** A subject, or 'input/' or 'per/' and an argument. */
  readonly by: string
  readonly networks: string
  readonly terms: TermsDraft
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export const isValidName = (name: string): boolean => NAME.test(name)

/** How many networks it takes to use up a new set that counts all callers together. */
const NETWORKS = '20'

export const blankDraft = (procedure: string): AddedDraft => ({
  name: '',
  procedure,
  by: 'subject',
  networks: NETWORKS,
  terms: {
    ...toTermsDraft({ rules: [{ limit: 1, window: '1m' }], mode: 'shadow', wait: null, onStoreFailure: 'local' }),
    rules: [blankRule],
  },
})

/** The form values of a set that was added. */
export function toAddedDraft(name: string, procedure: string, set: AddedSet): AddedDraft {
  const { by, rules, mode, wait = null, onStoreFailure = 'local', networks, ...charging } = set
  const text = typeof by === 'string' ? by : `${by.per ? 'per' : 'input'}/${by.input}`
  const terms = toTermsDraft({ rules, mode, wait, onStoreFailure }, charging)
  return { name, procedure, by: text, networks: String(networks ?? NETWORKS), terms }
}

/** Whether all callers are counted together, so that no network may use it up. */
export const countsTogether = ({ by }: Pick<AddedDraft, 'by'>): boolean => by === 'site' || by.startsWith('input/')

export const parseNetworks = ({ networks }: Pick<AddedDraft, 'networks'>): number | null => {
  const number = parseAmount(networks, 'calls')
  return typeof number === 'number' && number >= Number(NETWORKS) ? number : null
}

const subjects = ['subject', 'ip', 'user', 'network', 'site'] as const

/** What a set of a procedure can count. */
export const choicesOf = (args: readonly string[]): readonly string[] => [
  ...subjects,
  ...args.flatMap((argument) => [`per/${argument}`, `input/${argument}`]),
]

export function parseBy(text: string): AddedSet['by'] {
  const [kind = '', input] = text.split('/')
  if (input === undefined) return subjects.find((each) => each === kind) ?? 'subject'
  return kind === 'per' ? { input, per: 'subject' } : { input }
}

/** The set of a draft; null while a field is invalid. */
export function parseAddedDraft(draft: AddedDraft): AddedSet | null {
  const charging = parseCharging(draft.terms)
  const terms = charging && parseTermsDraft(draft.terms, 'calls')
  const isTogether = countsTogether(draft)
  const networks = isTogether ? parseNetworks(draft) : null
  if (!terms || !isValidName(draft.name) || (isTogether && networks === null)) return null
  const { rules, mode, wait, onStoreFailure } = terms
  return {
    by: parseBy(draft.by),
    rules,
    mode,
    ...charging,
    ...(wait !== null && { wait: spellDuration(wait) }),
    ...(onStoreFailure !== 'local' && { onStoreFailure }),
    ...(networks !== null && { networks }),
  }
}
