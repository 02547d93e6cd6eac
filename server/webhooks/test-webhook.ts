import { TRPCError } from '@trpc/server'
import { superadminProcedure } from '#server/trpc/init.ts'
import { webhookTest } from './limits.ts'

/** Sends an event without content, for setting up a receiver. The job list shows the outcome. */
export const testWebhook = superadminProcedure
  .meta({ limits: webhookTest })
  .mutation(async ({ ctx }): Promise<Record<string, never>> => {
    const { webhook, config } = ctx.app
    if (!webhook.target) throw new TRPCError({ code: 'PRECONDITION_FAILED', message: 'SLUICE_WEBHOOK is not set.' })
    await webhook.send(null, { type: 'test', timestamp: new Date().toISOString(), data: { site: config.origin } })
    return {}
  })
