'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { RecoveryCodes } from '#app/account/factors/recovery-codes.tsx'
import { SetUpApp } from '#app/account/factors/set-up-app.tsx'
import { useAddPasskey } from '#app/account/passkeys/use-add-passkey.ts'
import { Connection } from '#app/connection/provider.tsx'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { ProofDialogs } from '#app/shell/proof-dialogs.tsx'
import { leaveTo } from '#app/shell/sign-in.ts'
import { useHasPasskeys } from '#app/shell/use-has-passkeys.ts'
import { Button } from '#app/ui/button.tsx'
import { CopyByHand } from '#app/ui/copy-by-hand.tsx'

/** Leads a session through the set-up of a required second factor, and then to the start page. */
export function SetUp({ username, passkeys }: { username: string; passkeys: boolean }) {
  return (
    <Connection>
      <Steps username={username} passkeys={passkeys} />
      <CopyByHand />
      <ProofDialogs username={username} />
    </Connection>
  )
}

function Steps({ username, passkeys }: { username: string; passkeys: boolean }) {
  const t = useTranslations('factors')
  const begin = useMutation(useTRPC().identity.beginTotp.mutationOptions({ gcTime: 0 }))
  const isHeldBack = useHeldBack(begin.error)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} username={username} onDone={() => leaveTo('/')} />
  if (begin.data) return <SetUpApp begun={begin.data} onDone={setCodes} />
  return (
    <>
      {passkeys && <AddPasskey onAdded={setCodes} />}
      <FormFailure error={begin.error} />
      <Button
        tone={passkeys ? 'plain' : 'primary'}
        isPending={begin.isPending}
        isDisabled={isHeldBack}
        onPress={() => begin.mutate()}
      >
        {t('setUp')}
      </Button>
    </>
  )
}

function AddPasskey({ onAdded }: { onAdded: (recoveryCodes: readonly string[]) => void }) {
  const t = useTranslations('passkeys')
  const add = useAddPasskey(({ recoveryCodes }) => (recoveryCodes ? onAdded(recoveryCodes) : leaveTo('/')))
  const isHeldBack = useHeldBack(add.error)
  if (!useHasPasskeys()) return null
  return (
    <>
      <p className="text-ink-soft">{t('choose')}</p>
      <FormFailure error={add.error} />
      <Button tone="primary" isPending={add.isPending} isDisabled={isHeldBack} onPress={() => add.mutate()}>
        {t('add')}
      </Button>
    </>
  )
}
