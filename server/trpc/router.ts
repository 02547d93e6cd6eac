import { accessRouter } from '#server/access/router.ts'
import { accountRouter, inviteRouter, setupRouter, tokenRouter, userRouter } from '#server/accounts/router.ts'
import { auditRouter } from '#server/audit/router.ts'
import { budgetRouter } from '#server/budgets/router.ts'
import { imageRouter } from '#server/images/router.ts'
import { jobRouter } from '#server/jobs/router.ts'
import { limitsRouter } from '#server/limit-admin/router.ts'
import { siteRouter } from '#server/site/router.ts'
import { webhookRouter } from '#server/webhooks/router.ts'
import { router } from './init.ts'

export const appRouter = router({
  access: accessRouter,
  account: accountRouter,
  audit: auditRouter,
  budget: budgetRouter,
  image: imageRouter,
  invite: inviteRouter,
  job: jobRouter,
  limits: limitsRouter,
  setup: setupRouter,
  site: siteRouter,
  token: tokenRouter,
  user: userRouter,
  webhook: webhookRouter,
})

export type AppRouter = typeof appRouter
