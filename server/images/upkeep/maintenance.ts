import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'

/** Counts by name, or why there are none. */
export type TaskReport = Readonly<Record<string, number | string>>

export interface Task {
  readonly name: string
  /** From one beginning to the next. */
  readonly everyMs: number
  run(signal: AbortSignal): Promise<TaskReport>
}

/** A task as its row tells. */
export interface TaskState {
  readonly name: string
  /** ISO 8601. */
  readonly startedAt: string
  /** Null while it runs. */
  readonly finishedAt: string | null
  /** Of the last run that has ended. */
  readonly report: TaskReport | null
}

export interface MaintenanceParts {
  readonly db: PrismaClient
  readonly log: { info(details: object, message: string): void; error(details: object, message: string): void }
}

const LOOK_MS = 60_000
/** A claim that has been silent for so long is of a process that has died. */
const LAPSE_MS = 5 * LOOK_MS

const claimed = z.array(z.object({ startedAt: z.date() }))
const report = z.record(z.string(), z.union([z.number(), z.string()])).nullable()

/** Runs tasks now and then: of all processes over one database, one at a time runs each. */
export class Maintenance {
  readonly #parts: MaintenanceParts
  readonly #tasks: readonly Task[]
  readonly #ending = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null

  constructor(parts: MaintenanceParts, tasks: readonly Task[]) {
    this.#parts = parts
    this.#tasks = tasks
  }

  /** Looks every minute for what is due. Keeps no process alive. */
  start(): void {
    this.#timer = setInterval(() => void this.runDue(), LOOK_MS).unref()
  }

  /** Runs the tasks that are due and no other process is at, one after another. A run under way is waited for instead. */
  runDue(): Promise<void> {
    this.#running ??= this.#runTasks().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** What the last runs found, in the order of the tasks; none of a task that has not run yet. */
  async states(): Promise<TaskState[]> {
    const rows = await this.#parts.db.maintenanceTask.findMany()
    return this.#tasks.flatMap(({ name }) =>
      rows
        .filter((row) => row.name === name)
        .map((row) => ({
          name,
          startedAt: row.startedAt.toISOString(),
          finishedAt: row.finishedAt?.toISOString() ?? null,
          report: report.parse(row.report),
        })),
    )
  }

  /** Ends a run under way at its next step. */
  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#ending.abort()
    await this.#running
  }

  async #runTasks(): Promise<void> {
    for (const task of this.#tasks) {
      if (this.#ending.signal.aborted) return
      try {
        const startedAt = await this.#claim(task)
        if (startedAt) await this.#run(task, startedAt)
      } catch (error) {
        this.#parts.log.error({ err: error, task: task.name }, 'maintenance failed')
      }
    }
  }

  /** By one statement and the database's clock: a task is due when its last run began long enough ago, and nobody is at it. */
  async #claim({ name, everyMs }: Task): Promise<Date | null> {
    const rows = await this.#parts.db.$queryRaw`
      INSERT INTO "MaintenanceTask" AS "task" ("name", "startedAt", "aliveAt")
      VALUES (${name}, clock_timestamp(), clock_timestamp())
      ON CONFLICT ("name") DO UPDATE SET
        "startedAt" = clock_timestamp(), "aliveAt" = clock_timestamp(), "finishedAt" = NULL
      WHERE CASE WHEN "task"."finishedAt" IS NULL
        THEN "task"."aliveAt" <= clock_timestamp() - ${LAPSE_MS} * interval '1 millisecond'
        ELSE "task"."startedAt" <= clock_timestamp() - ${everyMs} * interval '1 millisecond' END
      RETURNING "startedAt"`
    return claimed.parse(rows)[0]?.startedAt ?? null
  }

  async #run(task: Task, startedAt: Date): Promise<void> {
    const { db, log } = this.#parts
    const mine = { name: task.name, startedAt }
    // By the clock that claims go by: this machine's may be minutes away from it.
    const beat = () =>
      db.$executeRaw`
        UPDATE "MaintenanceTask" SET "aliveAt" = clock_timestamp()
        WHERE "name" = ${task.name} AND "startedAt" = ${startedAt}`.catch(() => undefined)
    const heart = setInterval(() => void beat(), LOOK_MS).unref()
    try {
      const report = await task.run(this.#ending.signal)
      log.info({ task: task.name, ...report }, 'maintenance')
      await this.#finish(mine, report)
    } catch (error) {
      // What was broken off because the process ends begins anew in the next one.
      if (this.#ending.signal.aborted) await db.maintenanceTask.deleteMany({ where: mine })
      else await this.#finish(mine, { failed: 'The log says why.' })
      if (!this.#ending.signal.aborted) throw error
    } finally {
      clearInterval(heart)
    }
  }

  async #finish(mine: { name: string; startedAt: Date }, report: Prisma.InputJsonObject): Promise<void> {
    await this.#parts.db.maintenanceTask.updateMany({ where: mine, data: { finishedAt: new Date(), report } })
  }
}
