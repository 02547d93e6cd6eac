import { TRPCError } from '@trpc/server'
import { superadminProcedure } from '#server/trpc/init.ts'
import { webhookTest } from './limits.ts'

/** Sends an event that says nothing, for whoever sets up a receiver; the jobs show what became of it. */
export const testWebhook = superadminProcedure
  .meta({ limits: webhookTest })
  .mutation(async ({ ctx }): Promise<Record<string, never>> => {
    const { webhook, config } = ctx.app
    if (!webhook.target) throw new TRPCError({ code: 'PRECONDITION_FAILED', message: 'SLUICE_WEBHOOK is not set.' })
    await webhook.tell(null, { type: 'test', timestamp: new Date().toISOString(), data: { site: config.origin } })
    return {}
  })
