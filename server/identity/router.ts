import { router } from '#server/trpc/init.ts'
import { proveByPassword } from './prove-by-password.ts'
import { show } from './show.ts'

export const identityRouter = router({ show, proveByPassword })
