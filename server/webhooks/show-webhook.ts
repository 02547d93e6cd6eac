import { superadminProcedure } from '#server/trpc/init.ts'
import { webhookView } from './limits.ts'

/** Returns where events are sent and the secret that signs them; null without a webhook. */
export const showWebhook = superadminProcedure.meta({ limits: webhookView }).query(({ ctx }) => ctx.app.webhook.target)
