import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { PrismaClient } from '#server/database/database.ts'
import type { Payer } from '#server/storage/payer.ts'
import type { Kind } from './lease.ts'
import { fullDays, type ObjectRow, OTHERS, type UsageRow, writeUsage } from './usage-rows.ts'

interface UsageBookDependencies {
  readonly db: PrismaClient
  readonly log: { error(details: object, message: string): void }
  /** Returns today in UTC (`YYYY-MM-DD`), for usage that no lease has dated. */
  readonly today?: (() => string) | undefined
}

/** Rows kept in memory; beyond that, usage is added to the subject OTHERS. */
const MAX_ROWS = 5_000
/** Rows written per transaction: the embedded database answers nothing else during it. */
const BATCH_ROWS = 100

const DAY_MS = 86_400_000

/**
 * Usage by subject, procedure and image, added up in memory and written every few seconds. It only feeds reports: a
 * killed process loses the last seconds of it, while the budgets are counted in the database beforehand.
 */
export class UsageBook {
  readonly #parts: UsageBookDependencies
  readonly #today: () => string
  #rows = new Table<UsageRow>()
  #objects = new Table<ObjectRow>()
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: UsageBookDependencies) {
    this.#parts = parts
    this.#today = parts.today ?? todayByClock()
  }

  /** Records an amount sent to the bucket at the payer's expense. A null `day` means today. */
  spend(day: string | null, payer: Payer, kind: Kind, amount: number, nanos: number): void {
    const date = day ?? this.#today()
    const row = this.#row(date, payer)
    row[kind] += amount
    row.nanos += nanos
    if (!payer.object) return
    const object = this.#object(date, payer.object)
    if (kind === 'reads' || kind === 'bytesOut') object[kind] += amount
    object.nanos += nanos
  }

  /** Records a call of the byte route that has sent bytes of an object, from the bucket or a cache. */
  sent(payer: Payer, sha256: string, bytes: number): void {
    this.answered(payer, bytes)
    if (bytes > 0) this.#object(this.#today(), sha256).sent += bytes
  }

  /** Records a call of the byte route; its bytes belong to no object. */
  answered(payer: Payer, bytes = 0): void {
    const row = this.#row(this.#today(), payer)
    row.calls += 1
    row.sent += bytes
  }

  /** Writes what was recorded since the last flush. What cannot be written is kept for the next one. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const [{ rows }, { rows: objects }] = [this.#rows, this.#objects]
    this.#rows = new Table()
    this.#objects = new Table()
    let written = 0
    try {
      const days = [...new Set([...rows, ...objects].map(({ day }) => day))]
      const full = days.length > 0 ? await fullDays(this.#parts.db, days) : undefined
      for (; written < Math.max(rows.length, objects.length); written += BATCH_ROWS) {
        const end = written + BATCH_ROWS
        await writeUsage(this.#parts.db, rows.slice(written, end), objects.slice(written, end), full)
        await yieldToEventLoop()
      }
    } catch (error) {
      this.#parts.log.error({ err: error }, 'could not write usage')
      for (const row of rows.slice(written)) add(this.#row(row.day, row), row)
      for (const row of objects.slice(written)) add(this.#object(row.day, row.sha256), row)
    }
  }

  #row(day: string, { procedure, subject: payer }: Payer): UsageRow {
    const subject = payer ?? 'site'
    const row = this.#rows.get(day, procedure, subject)
    if (row) return row
    if (this.#rows.isFull && subject !== OTHERS) return this.#row(day, { procedure, subject: OTHERS })
    const zero = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0, nanos: 0, calls: 0, sent: 0 }
    return this.#rows.add(day, procedure, subject, { day, procedure, subject, ...zero })
  }

  #object(day: string, sha256: string): ObjectRow {
    const row = this.#objects.get(day, '', sha256)
    if (row) return row
    if (this.#objects.isFull && sha256 !== OTHERS) return this.#object(day, OTHERS)
    return this.#objects.add(day, '', sha256, { day, sha256, reads: 0, bytesOut: 0, nanos: 0, sent: 0 })
  }
}

/** Rows by day, procedure and name, in nested maps: for each call of the byte route, building a joined key would cost
 *  several times as much as three lookups. */
class Table<Row> {
  readonly rows: Row[] = []
  readonly #days = new Map<string, Map<string, Map<string, Row>>>()

  get isFull(): boolean {
    return this.rows.length >= MAX_ROWS
  }

  get(day: string, procedure: string, name: string): Row | undefined {
    return this.#days.get(day)?.get(procedure)?.get(name)
  }

  add(day: string, procedure: string, name: string, row: Row): Row {
    const procedures = this.#days.get(day) ?? new Map<string, Map<string, Row>>()
    const names = procedures.get(procedure) ?? new Map<string, Row>()
    this.#days.set(day, procedures.set(procedure, names.set(name, row)))
    this.rows.push(row)
    return row
  }
}

/** Returns today in UTC, formatted once a day, because every call of the byte route needs it. */
function todayByClock(): () => string {
  let day = -1
  let formatted = ''
  return () => {
    const now = Date.now()
    const today = Math.floor(now / DAY_MS)
    if (today !== day) {
      day = today
      formatted = new Date(now).toISOString().slice(0, 10)
    }
    return formatted
  }
}

function add<Row extends UsageRow | ObjectRow>(row: Row, more: Row): void {
  for (const [name, value] of Object.entries(more)) {
    if (typeof value === 'number') Reflect.set(row, name, Number(Reflect.get(row, name)) + value)
  }
}
