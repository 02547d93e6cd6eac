import type { ObjectKey, ObjectStore } from '#server/storage/object-store.ts'
import { listAt } from './destination.ts'

/** A backup at the destination. */
export interface Snapshot {
  readonly key: ObjectKey
  /** 20261128T023000Z: what commands call it. */
  readonly name: string
  readonly at: Date
  /** Bytes of its compressed rows. */
  readonly size: number
}

/** Lists the backups of a destination, the newest first. */
export async function listSnapshots(snapshots: ObjectStore): Promise<readonly Snapshot[]> {
  const listed = await Array.fromAsync(listAt(snapshots, ''))
  return listed
    .filter(({ key }) => key.includes('/rows.'))
    .map(({ key, size }) => ({ key, size, ...readName(key) }))
    .sort((one, other) => (one.key < other.key ? 1 : -1))
}

/** Returns the name of a snapshot, and the moment of its rows. */
export function readName(key: string): Pick<Snapshot, 'name' | 'at'> {
  const [name = ''] = key.split('/')
  return { name, at: new Date(name.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5')) }
}
