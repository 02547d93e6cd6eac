import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Actor } from '#server/audit/audit.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { type Attempt, defineJob, FinalFailure, type JobReport } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { isQueueFull } from '#server/jobs/job-rows.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import type { WebhookEvent } from '#server/webhooks/events.ts'
import { type Letter, letter, type NoteTopic } from './letter.ts'
import type { Desk } from './letters/draft.ts'
import { draftLetter } from './letters/letters.ts'
import { draftTest } from './letters/test-letter.ts'
import { receiving } from './receiver.ts'
import { sendDraft, takePermits } from './send-draft.ts'
import { lettersAbout } from './warn.ts'

/** Retried for about ten hours: first within half a minute, as servers that greylist ask for, then with growing delays. */
const mailing = defineJob({
  name: 'mail',
  data: letter,
  atOnce: 2,
  retries: { limit: 12, delaySeconds: 30, delayMaxSeconds: 2 * 60 * 60 },
  expireSeconds: 90,
})

/** Letters that may wait. Beyond it, none is queued: a provider that is down for days must not fill the database. */
const MOST_QUEUED = 5_000

/** How long one attempt may take. */
const DEADLINE_MS = 45_000

/** Sends the site's mail. */
export interface Mail {
  /** Queues a letter, in the transaction that causes it if there is one. Does nothing where the site sends no mail, and for an account
   *  without a confirmed address. */
  send(tx: Transaction | null, letter: Letter): Promise<void>
  /** Queues a note that a factor of the actor's own account has changed. */
  note(tx: Transaction, actor: Pick<Actor, 'userId' | 'address'>, topic: NoteTopic): Promise<void>
  /** Queues a note to the address that the actor's account had until now. */
  moved(tx: Transaction, actor: Pick<Actor, 'userId' | 'address'>, email: string): Promise<void>
  /** Queues what people are to know of an event. */
  warn(tx: Transaction, event: WebhookEvent): Promise<void>
  /** Sends a mail at once that says only that mail works. Rejects with a refusal that says what failed. */
  test(to: string, signal?: AbortSignal): Promise<void>
}

interface MailDependencies extends Desk {
  readonly jobs: JobQueue
  readonly limiter: Pick<Limiter, 'reserve'>
  readonly log: Pick<Logger, 'warn'>
  /** For tests. */
  readonly deadlineMs?: number
}

/** Starts sending mail in this process. */
export async function openMail(parts: MailDependencies): Promise<Mail> {
  const { db, jobs, site, log, deadlineMs = DEADLINE_MS } = parts
  await jobs.work(mailing, (data, { id, signal }) =>
    sendLetter(parts, data, { id, signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]) }),
  )
  const send: Mail['send'] = async (tx, data) => {
    const client = tx ?? db
    if (!site.read().mail || !(await isReceived(client, data))) return
    if (await isQueueFull(client, mailing.name, MOST_QUEUED))
      return log.warn({ kind: data.kind }, 'too many mails wait to be sent; one was dropped')
    await jobs.send(tx, mailing, [{ data }])
  }
  return {
    send,
    note: (tx, { userId, address = '' }, topic) =>
      send(tx, { kind: 'note', userId, topic, address, at: new Date().toISOString() }),
    moved: (tx, { userId, address = '' }, email) =>
      send(tx, { kind: 'moved', userId, email, address, at: new Date().toISOString() }),
    warn: async (tx, event) => {
      if (!site.read().mail) return
      for (const each of await lettersAbout(tx, event)) await send(tx, each)
    },
    test: async (to, signal) => {
      const ends = AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(signal ? [signal] : [])])
      await sendDraft(parts, draftTest(parts, to), { id: randomUUID(), signal: ends }).catch((error: unknown) => {
        throw error instanceof FinalFailure ? error.cause : error
      })
    },
  }
}

/** Sends a letter that its job has kept, if somebody is still to get it. */
async function sendLetter(parts: MailDependencies, data: Letter, attempt: Attempt): Promise<JobReport> {
  const draft = parts.site.read().mail && (await draftLetter(parts, data))
  if (!draft) return { dropped: 1 }
  const permits = await takePermits(parts.limiter, data.kind, draft.to)
  if (!permits) return { limited: 1 }
  try {
    await sendDraft(parts, draft, attempt)
  } catch (error) {
    await permits.refund()
    throw error
  }
  return { sent: 1 }
}

/** Returns whether a letter has a receiver. Most accounts have no address: their notes are not queued at all. */
async function isReceived(db: PrismaClient | Transaction, data: Letter): Promise<boolean> {
  // These name an address.
  if (!('userId' in data) || 'email' in data) return true
  return (await db.user.count({ where: { id: data.userId, ...receiving } })) > 0
}
