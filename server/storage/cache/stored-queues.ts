import { hashOfKey, isObjectKey } from '../object-store.ts'
import { MAIN_SHARE, type Queue, type Queues, type Resident } from './s3-fifo.ts'
import { numberOf, type Sql } from './sql.ts'

/** The queues of S3-FIFO as the index keeps them, with the ghosts of what left the small one. */
export class StoredQueues implements Queues {
  readonly capacity: number
  readonly #sql: Sql
  readonly #remove: (id: number) => void

  /** `remove` forgets a copy and its file. */
  constructor(sql: Sql, capacity: number, remove: (id: number) => void) {
    this.#sql = sql
    this.capacity = capacity
    this.#remove = remove
  }

  bytesIn(queue: Queue): number {
    return this.#sql.total(queue)
  }

  oldest(queue: Queue): Resident | null {
    const row = this.#sql.get('SELECT id, size, frequency FROM object WHERE queue = ? ORDER BY place LIMIT 1', queue)
    return row ? { id: numberOf(row.id), size: numberOf(row.size), frequency: numberOf(row.frequency) } : null
  }

  moveToMain({ id }: Resident, frequency: number): void {
    const sql = `UPDATE object SET queue = 'main', place = ?, frequency = ? WHERE id = ?`
    this.#sql.run(sql, this.#sql.nextPlace(), frequency, id)
  }

  evict({ id, size }: Resident, isRemembered: boolean): void {
    const print = isRemembered ? printOf(this.#sql.get('SELECT key FROM object WHERE id = ?', id)?.key) : null
    this.#remove(id)
    if (print === null) return
    this.#sql.run('DELETE FROM ghost WHERE print = ?', print)
    this.#sql.run('INSERT INTO ghost (print, size, place) VALUES (?, ?, ?)', print, size, this.#sql.nextPlace())
    while (this.#sql.total('ghosts') > this.capacity * MAIN_SHARE) {
      this.#sql.run('DELETE FROM ghost WHERE place = (SELECT min(place) FROM ghost)')
    }
  }

  /** Puts what has been fetched where it belongs: behind all of main when it was evicted from small not long ago. */
  insert(id: number, key: unknown): void {
    const isRemembered = this.#sql.run('DELETE FROM ghost WHERE print = ?', printOf(key)) > 0
    const queue: Queue = isRemembered ? 'main' : 'small'
    this.#sql.run('UPDATE object SET queue = ?, place = ? WHERE id = ?', queue, this.#sql.nextPlace(), id)
  }
}

/** 52 bits of an object's name: ghosts are many, and one that is taken for another is no harm. */
function printOf(key: unknown): number {
  if (typeof key !== 'string' || !isObjectKey(key)) throw new TypeError('Not an object key')
  return Number.parseInt(hashOfKey(key).slice(0, 13), 16)
}
