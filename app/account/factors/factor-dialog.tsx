'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpApp } from './set-up-app.tsx'

/** An app that is being set up, or recovery codes that were made anew. */
export type Opened = Outputs['identity']['beginTotp'] | Outputs['identity']['remakeRecoveryCodes']

/** Sets up an authenticator app and shows recovery codes, until it is closed. */
export default function FactorDialog({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  const t = useTranslations('factors')
  const tUi = useTranslations('ui')
  const { username } = useAccount()
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [made, setMade] = useState<readonly string[] | null>(null)
  const show = (codes: readonly string[]) => {
    setMade(codes)
    void queryClient.invalidateQueries({ queryKey: trpc.identity.pathKey() })
  }
  const codes = made ?? ('recoveryCodes' in opened ? opened.recoveryCodes : null)
  return (
    <Dialog title={codes ? t('codes') : t('setUp')} isOpen onClose={onClose} isDismissable={false}>
      {codes && <RecoveryCodes codes={codes} username={username} onDone={onClose} />}
      {!codes && 'setUp' in opened && (
        <SetUpApp begun={opened} onDone={show} cancel={<Button onPress={onClose}>{tUi('cancel')}</Button>} />
      )}
    </Dialog>
  )
}
