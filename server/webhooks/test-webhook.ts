import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { webhookTest } from './limits.ts'

/** Sends an event without content, for setting up a receiver. The job list shows the outcome. */
export const testWebhook = superadminProcedure
  .meta({ limits: webhookTest, audit: 'webhook.test' })
  .mutation(async ({ ctx }): Promise<Record<string, never>> => {
    const { webhook, config, db } = ctx.app
    if (!webhook.target) throw refuse('no-webhook')
    await transact(db, async (tx) => {
      await webhook.send(tx, { type: 'test', timestamp: new Date().toISOString(), data: { site: config.origin } })
      await writeAudit(tx, toActor(ctx), { action: 'webhook.test', target: 'webhook', before: null, after: null })
    })
    return {}
  })
