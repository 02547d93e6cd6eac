import { router } from '#server/trpc/init.ts'
import { proveByPassword } from './prove-by-password.ts'
import { remakeRecoveryCodes } from './remake-recovery-codes.ts'
import { show } from './show.ts'
import { beginTotp } from './totp/begin-totp.ts'
import { confirmTotp } from './totp/confirm-totp.ts'
import { removeTotp } from './totp/remove-totp.ts'
import { trustedDevices } from './trusted-devices.ts'
import { untrustDevice } from './untrust-device.ts'

export const identityRouter = router({
  show,
  proveByPassword,
  beginTotp,
  confirmTotp,
  removeTotp,
  remakeRecoveryCodes,
  trustedDevices,
  untrustDevice,
})
