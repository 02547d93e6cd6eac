import { router } from '#server/trpc/init.ts'
import { createShare } from './create-share.ts'
import { exportShares } from './export-shares.ts'
import { listShares } from './list-shares.ts'
import { openShare } from './open-share.ts'
import { restoreShare } from './restore-share.ts'
import { revokeShare } from './revoke-share.ts'
import { shareUse } from './share-use.ts'
import { updateShare } from './update-share.ts'

export const shareRouter = router({
  create: createShare,
  list: listShares,
  update: updateShare,
  revoke: revokeShare,
  open: openShare,
  use: shareUse,
  export: exportShares,
  restore: restoreShare,
})
