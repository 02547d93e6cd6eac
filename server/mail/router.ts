import { router } from '#server/trpc/init.ts'
import { testMail } from './test-mail.ts'

export const mailRouter = router({ test: testMail })
