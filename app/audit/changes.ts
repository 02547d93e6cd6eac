import type { Translate } from '#app/ui/translate.ts'
import type { Formats } from '#format/formats.ts'
import type { AuditItem } from './acts.ts'

/** A field that an act has changed; null where it did not exist. */
export interface Change {
  readonly field: string
  readonly before: Value | null
  readonly after: Value | null
}

export type Value = string | number | boolean

/** Returns the fields of both states that differ, nested ones by their path. */
export function listChanges({ before, after }: Pick<AuditItem, 'before' | 'after'>): readonly Change[] {
  const [old, now] = [flatten(before), flatten(after)]
  const fields = [...new Set([...old.keys(), ...now.keys()])]
  return fields.flatMap((field) => {
    const change = { field, before: old.get(field) ?? null, after: now.get(field) ?? null }
    return change.before === change.after ? [] : [change]
  })
}

type State = AuditItem['before']

function flatten(state: State, path = ''): Map<string, Value> {
  if (state === null) return new Map()
  if (typeof state !== 'object') return new Map([[path, state]])
  if (Array.isArray(state)) return state.length === 0 ? new Map() : new Map([[path, JSON.stringify(state)]])
  const entries = Object.entries(state).flatMap(([name, value]) => [
    ...flatten(value ?? null, path === '' ? name : `${path}.${name}`),
  ])
  return new Map(entries)
}

/** Fields with a name in the catalogue. Settings keep the names of their variables, and terms of limits those of the API. */
const named = [
  'banned',
  'changesMailPassword',
  'codesLeft',
  'description',
  'displayName',
  'email',
  'expiresAt',
  'isMailed',
  'isBackedUp',
  'isTrashed',
  'limit',
  'linkBy',
  'linkUntil',
  'name',
  'note',
  'on',
  'order',
  'passkeys',
  'pendingEmail',
  'profileLine',
  'profileName',
  'profileOpen',
  'quotaBytes',
  'reason',
  'role',
  'shared',
  'since',
  'title',
  'to',
  'totp',
  'uses',
  'usesLeft',
  'verdict',
  'visibility',
] as const

/** Returns a field's name for reading, or null if it has none besides the recorded one. */
export function nameField(t: Translate<'audit'>, field: string): string | null {
  const known = named.find((each) => each === field)
  return known ? t(`changed.${known}`) : null
}

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Returns a value for reading: bytes, dates and yes or no in the reader's language, everything else as recorded. */
export function describeValue(t: Translate<'audit'>, format: Formats, field: string, value: Value): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (typeof value === 'number') return field === 'quotaBytes' ? format.bytes(value) : format.count(value)
  if (ISO_INSTANT.test(value)) return format.date(value, { time: true })
  const known = choices.find((each) => each === value)
  return known && (field === 'role' || field === 'visibility') ? t(`choice.${known}`) : value
}

const choices = ['user', 'admin', 'superadmin', 'private', 'link', 'public'] as const
