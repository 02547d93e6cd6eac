import { accessRouter } from '#server/access/router.ts'
import {
  accountRouter,
  inviteRouter,
  profileRouter,
  setupRouter,
  tokenRouter,
  userRouter,
} from '#server/accounts/router.ts'
import { albumRouter, libraryRouter, tagRouter, viewRouter } from '#server/albums/router.ts'
import { auditRouter } from '#server/audit/router.ts'
import { backupRouter } from '#server/backups/router.ts'
import { budgetRouter } from '#server/budgets/router.ts'
import { guestRouter } from '#server/guests/router.ts'
import { providerRouter } from '#server/identity/oidc/admin/router.ts'
import { identityRouter } from '#server/identity/router.ts'
import { imageRouter } from '#server/images/router.ts'
import { jobRouter } from '#server/jobs/router.ts'
import { limitsRouter } from '#server/limit-admin/router.ts'
import { mailRouter } from '#server/mail/router.ts'
import { reportRouter } from '#server/reports/router.ts'
import { shareRouter } from '#server/sharing/router.ts'
import { siteRouter } from '#server/site/router.ts'
import { webhookRouter } from '#server/webhooks/router.ts'
import { router } from './init.ts'

export const appRouter = router({
  access: accessRouter,
  account: accountRouter,
  album: albumRouter,
  audit: auditRouter,
  backup: backupRouter,
  budget: budgetRouter,
  guest: guestRouter,
  identity: identityRouter,
  image: imageRouter,
  invite: inviteRouter,
  job: jobRouter,
  library: libraryRouter,
  limits: limitsRouter,
  mail: mailRouter,
  profile: profileRouter,
  provider: providerRouter,
  report: reportRouter,
  setup: setupRouter,
  share: shareRouter,
  site: siteRouter,
  tag: tagRouter,
  token: tokenRouter,
  user: userRouter,
  view: viewRouter,
  webhook: webhookRouter,
})

export type AppRouter = typeof appRouter
