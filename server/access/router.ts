import { router } from '#server/trpc/init.ts'
import { removeRule, setRule } from './change-rule.ts'
import { listAccess } from './list-access.ts'
import { setHotlink } from './set-hotlink.ts'

export const accessRouter = router({
  list: listAccess,
  setRule,
  removeRule,
  setHotlink,
})
