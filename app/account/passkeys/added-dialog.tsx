'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useAccount } from '#app/shell/session.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { RecoveryCodes } from '../factors/recovery-codes.tsx'
import { NameForm } from './name-form.tsx'
import type { AddedPasskey } from './use-add-passkey.ts'

/** Names a passkey that was added, and shows the recovery codes that came with it, until it is closed. */
export default function AddedDialog({ added, onClose }: { added: AddedPasskey; onClose: () => void }) {
  const t = useTranslations('passkeys')
  const tFactors = useTranslations('factors')
  const { username } = useAccount()
  const [isNamed, setNamed] = useState(false)
  const { recoveryCodes } = added
  const showsCodes = isNamed && recoveryCodes !== null
  const name = () => (recoveryCodes ? setNamed(true) : onClose())
  return (
    <Dialog
      title={showsCodes ? tFactors('codes') : t('added')}
      isOpen
      onClose={showsCodes ? onClose : name}
      isDismissable={false}
    >
      {!showsCodes && <p className="text-ink-soft">{t('addedText')}</p>}
      {showsCodes ? (
        <RecoveryCodes codes={recoveryCodes} username={username} onDone={onClose} />
      ) : (
        <NameForm passkey={added} onDone={name} />
      )}
    </Dialog>
  )
}
