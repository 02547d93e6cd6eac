'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { RecoveryCodes } from '#app/account/factors/recovery-codes.tsx'
import { SetUpApp } from '#app/account/factors/set-up-app.tsx'
import { Connection } from '#app/connection/provider.tsx'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { ProofDialogs } from '#app/shell/proof-dialogs.tsx'
import { leaveTo } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { CopyByHand } from '#app/ui/copy-by-hand.tsx'

/** Leads a session through the set-up of a required second factor, and then to the start page. */
export function SetUp({ username }: { username: string }) {
  return (
    <Connection>
      <Steps username={username} />
      <CopyByHand />
      <ProofDialogs username={username} />
    </Connection>
  )
}

function Steps({ username }: { username: string }) {
  const t = useTranslations('factors')
  const begin = useMutation(useTRPC().identity.beginTotp.mutationOptions({ gcTime: 0 }))
  const isHeldBack = useHeldBack(begin.error)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} username={username} onDone={() => leaveTo('/')} />
  if (begin.data) return <SetUpApp begun={begin.data} onDone={setCodes} />
  return (
    <>
      <FormFailure error={begin.error} />
      <Button tone="primary" isPending={begin.isPending} isDisabled={isHeldBack} onPress={() => begin.mutate()}>
        {t('setUp')}
      </Button>
    </>
  )
}
