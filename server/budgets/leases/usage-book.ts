import { setImmediate as untilOthersHadTheirTurn } from 'node:timers/promises'
import type { PrismaClient } from '#server/database/database.ts'
import type { Payer } from '#server/storage/payer.ts'
import type { Kind } from './lease.ts'
import { fullDays, type ObjectRow, OTHERS, type UsageRow, writeUsage } from './usage-rows.ts'

interface Parts {
  readonly db: PrismaClient
  readonly log: { error(details: object, message: string): void }
  /** Today in UTC (`YYYY-MM-DD`), for what no lease has dated. */
  readonly today?: (() => string) | undefined
}

/** Rows that are added up in memory; further ones are added to those of everybody else. */
const MOST_ROWS = 5_000
/** Rows that are written in one transaction: with the embedded database nothing is answered meanwhile. */
const WRITTEN_TOGETHER = 100

const DAY_MS = 86_400_000

/**
 * Who causes what, added up in memory and written every few seconds: for people to look at. A process that is killed
 * takes the last seconds with it, but for what the budgets have counted.
 */
export class UsageBook {
  readonly #parts: Parts
  readonly #today: () => string
  #rows = new Table<UsageRow>()
  #objects = new Table<ObjectRow>()
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#today = parts.today ?? todayByClock()
  }

  /** So much was asked of the bucket at the payer's expense. `day` null is today. */
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

  /** A call of the byte route has sent so many bytes of an object, from wherever they came. */
  sent(payer: Payer, sha256: string, bytes: number): void {
    this.answered(payer, bytes)
    if (bytes > 0) this.#object(this.#today(), sha256).sent += bytes
  }

  /** It has answered, with so many bytes of nobody's image. */
  answered(payer: Payer, bytes = 0): void {
    const row = this.#row(this.#today(), payer)
    row.calls += 1
    row.sent += bytes
  }

  /** Writes what has come since the last time. What cannot be written waits. */
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
      for (; written < Math.max(rows.length, objects.length); written += WRITTEN_TOGETHER) {
        const end = written + WRITTEN_TOGETHER
        await writeUsage(this.#parts.db, rows.slice(written, end), objects.slice(written, end), full)
        await untilOthersHadTheirTurn()
      }
    } catch (error) {
      this.#parts.log.error({ err: error }, 'usage was not written')
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

/** Rows by day, procedure and name. Names are not joined to one key: to spell that with each call of the byte route costs
 *  several times what three looks do. */
class Table<Row> {
  readonly rows: Row[] = []
  readonly #days = new Map<string, Map<string, Map<string, Row>>>()

  get isFull(): boolean {
    return this.rows.length >= MOST_ROWS
  }

  get(day: string, procedure: string, name: string): Row | undefined {
    return this.#days.get(day)?.get(procedure)?.get(name)
  }

  /** Answers the row. */
  add(day: string, procedure: string, name: string, row: Row): Row {
    const ofDay = this.#days.get(day) ?? new Map<string, Map<string, Row>>()
    const ofProcedure = ofDay.get(procedure) ?? new Map<string, Row>()
    this.#days.set(day, ofDay.set(procedure, ofProcedure.set(name, row)))
    this.rows.push(row)
    return row
  }
}

/** Today in UTC, spelled once a day: it is asked for with every call of the byte route. */
function todayByClock(): () => string {
  let day = -1
  let spelled = ''
  return () => {
    const now = Date.now()
    const today = Math.floor(now / DAY_MS)
    if (today !== day) {
      day = today
      spelled = new Date(now).toISOString().slice(0, 10)
    }
    return spelled
  }
}

/** Adds the numbers of one row to those of another. */
function add<Row extends UsageRow | ObjectRow>(row: Row, more: Row): void {
  for (const [name, value] of Object.entries(more)) {
    if (typeof value === 'number') Reflect.set(row, name, Number(Reflect.get(row, name)) + value)
  }
}
