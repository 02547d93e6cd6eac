import { hashOfKey, isObjectKey } from '../object-store.ts'
import { type FifoQueue, type FifoQueues, MAIN_SHARE, type Resident } from './s3-fifo.ts'
import { type Sql, toNumber } from './sql.ts'

/** The queues of S3-FIFO as stored in the index, with the ghosts of objects that were evicted from the small one. */
export class StoredQueues implements FifoQueues {
  readonly capacity: number
  readonly #sql: Sql
  readonly #remove: (id: number) => void

  /** `remove` deletes a copy and its file. */
  constructor(sql: Sql, capacity: number, remove: (id: number) => void) {
    this.#sql = sql
    this.capacity = capacity
    this.#remove = remove
  }

  bytesIn(queue: FifoQueue): number {
    return this.#sql.total(queue)
  }

  oldest(queue: FifoQueue): Resident | null {
    const row = this.#sql.get('SELECT id, size, frequency FROM object WHERE queue = ? ORDER BY place LIMIT 1', queue)
    return row ? { id: toNumber(row.id), size: toNumber(row.size), frequency: toNumber(row.frequency) } : null
  }

  moveToMain({ id }: Resident, frequency: number): void {
    const sql = `UPDATE object SET queue = 'main', place = ?, frequency = ? WHERE id = ?`
    this.#sql.run(sql, this.#sql.nextPlace(), frequency, id)
  }

  evict({ id, size }: Resident, isRemembered: boolean): void {
    const print = isRemembered ? fingerprint(this.#sql.get('SELECT key FROM object WHERE id = ?', id)?.key) : null
    this.#remove(id)
    if (print === null) return
    this.#sql.run('DELETE FROM ghost WHERE print = ?', print)
    this.#sql.run('INSERT INTO ghost (print, size, place) VALUES (?, ?, ?)', print, size, this.#sql.nextPlace())
    while (this.#sql.total('ghosts') > this.capacity * MAIN_SHARE) {
      this.#sql.run('DELETE FROM ghost WHERE place = (SELECT min(place) FROM ghost)')
    }
  }

  /** Evicts the oldest residents, small ones first, until `bytes` are free, but at most `most` of them. */
  free(bytes: number, most: number): void {
    for (let [freed, step] = [0, 0]; freed < bytes && step < most; step += 1) {
      const oldest = this.oldest('small') ?? this.oldest('main')
      if (!oldest) return
      this.evict(oldest, false)
      freed += oldest.size
    }
  }

  /** Queues a newly fetched copy: at the end of main if it was recently evicted from small, otherwise of small. */
  insert(id: number, key: unknown): void {
    const isRemembered = this.#sql.run('DELETE FROM ghost WHERE print = ?', fingerprint(key)) > 0
    const queue: FifoQueue = isRemembered ? 'main' : 'small'
    this.#sql.run('UPDATE object SET queue = ?, place = ? WHERE id = ?', queue, this.#sql.nextPlace(), id)
  }
}

/** Returns 52 bits of the object's hash. There are many ghosts, and mistaking one for another does no harm. */
function fingerprint(key: unknown): number {
  if (typeof key !== 'string' || !isObjectKey(key)) throw new TypeError('not an object key')
  return Number.parseInt(hashOfKey(key).slice(0, 13), 16)
}
