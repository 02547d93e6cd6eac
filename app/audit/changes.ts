import type { AuditItem } from './acts.ts'

/** A field that an act has changed, as text; null where it did not exist. */
export interface Change {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

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

function flatten(state: State, path = ''): Map<string, string> {
  if (state === null) return new Map()
  if (typeof state !== 'object') return new Map([[path, String(state)]])
  if (Array.isArray(state)) return state.length === 0 ? new Map() : new Map([[path, JSON.stringify(state)]])
  const entries = Object.entries(state).flatMap(([name, value]) => [
    ...flatten(value ?? null, path === '' ? name : `${path}.${name}`),
  ])
  return new Map(entries)
}
