import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { PrismaClient } from '#server/database/database.ts'
import type { Payer } from '#server/storage/payer.ts'
import type { ImageUsageRow } from './image-usage-rows.ts'
import type { Kind } from './lease.ts'
import { OTHERS } from './others.ts'
import { fullDays, type ObjectRow, type UsageBatch, type UsageRow, writeUsage } from './usage-rows.ts'
import { UsageTable } from './usage-table.ts'

interface UsageBookDependencies {
  readonly db: PrismaClient
  readonly log: { error(details: object, message: string): void }
  /** Returns today in UTC (`YYYY-MM-DD`), for usage that no lease has dated. */
  readonly today?: (() => string) | undefined
}

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
  #rows = new UsageTable<UsageRow>()
  #objects = new UsageTable<ObjectRow>()
  #images = new UsageTable<ImageUsageRow>()
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

  /** Records a call of the byte route that has sent bytes of an image, from the bucket or a cache. Several images may have the
   *  same bytes. */
  sent(payer: Payer, { id, sha256 }: { readonly id: string; readonly sha256: string }, bytes: number): void {
    this.answered(payer, bytes)
    if (bytes === 0) return
    const today = this.#today()
    this.#object(today, sha256).sent += bytes
    const image = this.#image(today, id)
    image.reads += 1
    image.sent += bytes
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
    const [{ rows }, { rows: objects }, { rows: images }] = [this.#rows, this.#objects, this.#images]
    this.#rows = new UsageTable()
    this.#objects = new UsageTable()
    this.#images = new UsageTable()
    let written = 0
    const batch = (end?: number) => ({
      rows: rows.slice(written, end),
      objects: objects.slice(written, end),
      images: images.slice(written, end),
    })
    try {
      const days = [...new Set([...rows, ...objects, ...images].map(({ day }) => day))]
      const full = days.length > 0 ? await fullDays(this.#parts.db, days) : undefined
      for (; written < Math.max(rows.length, objects.length, images.length); written += BATCH_ROWS) {
        await writeUsage(this.#parts.db, batch(written + BATCH_ROWS), full)
        await yieldToEventLoop()
      }
    } catch (error) {
      this.#parts.log.error({ err: error }, 'could not write usage')
      this.#putBack(batch())
    }
  }

  #putBack({ rows, objects, images }: UsageBatch): void {
    for (const row of rows) add(this.#row(row.day, row), row)
    for (const row of objects) add(this.#object(row.day, row.sha256), row)
    for (const row of images) add(this.#image(row.day, row.image), row)
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

  #image(day: string, image: string): ImageUsageRow {
    const row = this.#images.get(day, '', image)
    if (row) return row
    if (this.#images.isFull && image !== OTHERS) return this.#image(day, OTHERS)
    return this.#images.add(day, '', image, { day, image, reads: 0, sent: 0 })
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

function add<Row extends UsageRow | ObjectRow | ImageUsageRow>(row: Row, more: Row): void {
  for (const [name, value] of Object.entries(more)) {
    if (typeof value === 'number') Reflect.set(row, name, Number(Reflect.get(row, name)) + value)
  }
}
