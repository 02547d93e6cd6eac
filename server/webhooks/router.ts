import { router } from '#server/trpc/init.ts'
import { showWebhook } from './show-webhook.ts'
import { testWebhook } from './test-webhook.ts'

export const webhookRouter = router({ show: showWebhook, test: testWebhook })
