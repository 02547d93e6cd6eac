import type { Config } from '#server/config.ts'
import type { Transaction } from '#server/database/database.ts'
import { defineJob, type JobReport, type Work } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { type WebhookEvent, type WebhookEventType, webhookEvent } from './events.ts'
import { post, type Resolve } from './post.ts'
import { signatureHeaders, webhookSecret } from './sign.ts'

/** Tried again for about a day: after half a minute or less, then longer and longer, up to four hours. */
const delivery = defineJob({
  name: 'webhook',
  data: webhookEvent,
  atOnce: 2,
  retries: { limit: 14, delaySeconds: 30, delayMaxSeconds: 4 * 60 * 60 },
  expireSeconds: 60,
})

/**
 * Images are many: they wait by themselves, so that no other event waits behind them, are tried for an hour at most, and
 * what has waited for six is given up. So a receiver that is away costs the database a row for each image of some hours.
 */
const imageDelivery = defineJob({
  name: 'webhook-image',
  data: webhookEvent,
  atOnce: 4,
  retries: { limit: 6, delaySeconds: 30, delayMaxSeconds: 15 * 60 },
  expireSeconds: 60,
  keepSeconds: 24 * 60 * 60,
  waitSeconds: 6 * 60 * 60,
})

const DEADLINE_MS = 10_000

/** Tells whoever SLUICE_WEBHOOK names. */
export interface Webhook {
  /** Null where nobody is to be told. */
  readonly target: {
    readonly url: string
    readonly secret: string
    readonly events: readonly WebhookEventType[]
  } | null
  /** Whether somebody is to be told of such events. */
  tells(type: WebhookEvent['type']): boolean
  /** Sends an event behind, in the transaction in which it happens if there is one. Nothing where nobody is to be told of it. */
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
  const deliver: Work<WebhookEvent> = async (event, { id, signal }): Promise<JobReport> => {
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
  }
  await jobs.work(delivery, deliver)
  await jobs.work(imageDelivery, deliver)
  const tells: Webhook['tells'] = (type) => webhook !== null && (type === 'test' || webhook.events.includes(type))
  return {
    target: webhook && { url: webhook.url, secret, events: webhook.events },
    tells,
    tell: async (tx, event) => {
      const job = event.type === 'image.stored' ? imageDelivery : delivery
      if (tells(event.type)) await jobs.send(tx, job, [{ data: event }])
    },
  }
}
