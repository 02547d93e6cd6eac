import { router } from '#server/trpc/init.ts'
import { approveGuest } from './approve-guest.ts'
import { listPending } from './list-pending.ts'
import { rejectGuest } from './reject-guest.ts'
import { uploadAsGuest } from './upload-as-guest.ts'

export const guestRouter = router({
  upload: uploadAsGuest,
  list: listPending,
  approve: approveGuest,
  reject: rejectGuest,
})
