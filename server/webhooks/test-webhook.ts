import { refuse } from '#server/errors/refuse.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { webhookTest } from './limits.ts'

/** Sends an event without content, for setting up a receiver. The job list shows the outcome. */
export const testWebhook = superadminProcedure
  .meta({ limits: webhookTest })
  .mutation(async ({ ctx }): Promise<Record<string, never>> => {
    const { webhook, config } = ctx.app
    if (!webhook.target) throw refuse('no-webhook')
    await webhook.send(null, { type: 'test', timestamp: new Date().toISOString(), data: { site: config.origin } })
    return {}
  })
