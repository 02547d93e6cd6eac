import { router } from '#server/trpc/init.ts'
import { beginLink } from './oidc/begin-link.ts'
import { linked } from './oidc/linked.ts'
import { beginProof, proofWays } from './oidc/proof-ways.ts'
import { unlink } from './oidc/unlink.ts'
import { addPasskey } from './passkeys/add-passkey.ts'
import { beginPasskeyProof } from './passkeys/begin-proof.ts'
import { beginPasskey } from './passkeys/begin-registration.ts'
import { beginPasskeySignIn } from './passkeys/begin-sign-in.ts'
import { passkeys } from './passkeys/list-passkeys.ts'
import { proveByPasskey } from './passkeys/prove-by-passkey.ts'
import { removePasskey } from './passkeys/remove-passkey.ts'
import { renamePasskey } from './passkeys/rename-passkey.ts'
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
  passkeys,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  beginPasskeyProof,
  proveByPasskey,
  beginPasskeySignIn,
  remakeRecoveryCodes,
  trustedDevices,
  untrustDevice,
  linked,
  beginLink,
  unlink,
  proofWays,
  beginProof,
})
