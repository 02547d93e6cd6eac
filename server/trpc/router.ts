import { accountRouter, inviteRouter, setupRouter, siteRouter, userRouter } from '#server/accounts/router.ts'
import { budgetRouter } from '#server/budgets/router.ts'
import { imageRouter } from '#server/images/router.ts'
import { limitsRouter } from '#server/operations/router.ts'
import { router } from './init.ts'

export const appRouter = router({
  account: accountRouter,
  budget: budgetRouter,
  image: imageRouter,
  invite: inviteRouter,
  limits: limitsRouter,
  setup: setupRouter,
  site: siteRouter,
  user: userRouter,
})

export type AppRouter = typeof appRouter
