import { z } from 'zod'
import type { Config } from '#server/config.ts'
import type { Transaction } from '#server/database/database.ts'
import { defineJob, type JobReport } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { post, type Resolve } from './post.ts'
import { signatureHeaders, webhookSecret } from './sign.ts'

/** What somebody outside is told of. */
const event = z.strictObject({
  type: z.enum(['budget.near', 'budget.spent', 'test']),
  /** ISO 8601: when it happened. */
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.json()),
})

export type WebhookEvent = z.infer<typeof event>

/** Tried again for about a day: after half a minute or less, then longer and longer, up to four hours. */
const delivery = defineJob({
  name: 'webhook',
  data: event,
  atOnce: 2,
  retries: { limit: 14, delaySeconds: 30, delayMaxSeconds: 4 * 60 * 60 },
  expireSeconds: 60,
})

const DEADLINE_MS = 10_000

/** Tells whoever SLUICE_WEBHOOK names. */
export interface Webhook {
  /** Null where nobody is to be told. */
  readonly target: { readonly url: string; readonly secret: string } | null
  /** Sends an event behind, in the transaction in which it happens if there is one. */
  tell(tx: Transaction | null, event: WebhookEvent): Promise<void>
}

interface Parts {
  readonly jobs: JobQueue
  readonly config: Pick<Config, 'secret' | 'webhook'>
  /** A test's own. */
  readonly deadlineMs?: number
  readonly resolve?: Resolve
}

/** From now on this process delivers events. */
export async function openWebhook({ jobs, config, deadlineMs = DEADLINE_MS, resolve }: Parts): Promise<Webhook> {
  const { webhook } = config
  const secret = webhookSecret(config.secret)
  await jobs.work(delivery, async (event, { id, signal }): Promise<JobReport> => {
    // The setting is gone since it was sent.
    if (!webhook) return { dropped: 1 }
    const deadline = AbortSignal.timeout(deadlineMs)
    const body = JSON.stringify(event)
    const status = await post({
      url: new URL(webhook.url),
      headers: signatureHeaders(secret, { id, sentAt: Date.now(), body }),
      body,
      signal: AbortSignal.any([signal, deadline]),
      mayBePrivate: webhook.mayBePrivate,
      ...(resolve && { resolve }),
    }).catch((error: unknown) => {
      throw deadline.aborted ? new Error(`No answer within ${deadlineMs / 1_000} s.`, { cause: error }) : error
    })
    if (status < 200 || status > 299) throw new Error(`The receiver answered ${status}.`)
    return { status }
  })
  return {
    target: webhook && { url: webhook.url, secret },
    tell: async (tx, event) => {
      if (webhook) await jobs.send(tx, delivery, [{ data: event }])
    },
  }
}
