import { router } from '#server/trpc/init.ts'
import { beginLink } from './oidc/begin-link.ts'
import { linked } from './oidc/linked.ts'
import { beginProof, proofWays } from './oidc/proof-ways.ts'
import { unlink } from './oidc/unlink.ts'
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
  linked,
  beginLink,
  unlink,
  proofWays,
  beginProof,
})
