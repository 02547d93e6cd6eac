import { superadminProcedure } from '#server/trpc/init.ts'
import { webhookView } from './limits.ts'

/** Where events are sent, and the secret that proves who sent them; null where SLUICE_WEBHOOK is not set. */
export const showWebhook = superadminProcedure.meta({ limits: webhookView }).query(({ ctx }) => ctx.app.webhook.target)
