/** The server of trpc-batch.ts: Sluice without its pages, over the given Redis, with an additional procedure that does nothing.
 *  Trusts X-Forwarded-For, so that many callers can share one machine. */
import { accountRouter } from '#server/accounts/router.ts'
import { view } from '#server/images/limits.ts'
import { publicProcedure, router } from '#server/trpc/init.ts'
import { startApp } from '../../testing/sluice/sluice-app.ts'

const redisUrl = process.argv[2]
if (redisUrl === undefined) throw new Error('must be started by trpc-batch.ts, with the URL of a Redis')
const nothing = publicProcedure.meta({ limits: view }).query(() => null)
const sluice = await startApp(
  { REDIS_URL: redisUrl, SLUICE_TRUSTED_PROXIES: '127.0.0.1/32' },
  { router: router({ account: accountRouter, nothing }) },
)
process.once('SIGTERM', () => void sluice[Symbol.asyncDispose]().then(() => process.exit()))
await sluice.person()
console.log(new URL(sluice.origin).port)
