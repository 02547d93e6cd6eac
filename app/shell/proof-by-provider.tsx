'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslations } from 'use-intl/react'
import { onProof } from '#app/connection/proof-channel.ts'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'

interface Props {
  providers: Outputs['identity']['proofWays']['providers']
  onEnd: (isGiven: boolean) => void
}

/** Asks to sign in at a linked provider again, in a tab of its own, so that this page keeps what it is about. */
export function ProofByProvider({ providers, onEnd }: Props) {
  const t = useTranslations('shell')
  const tUi = useTranslations('ui')
  const trpc = useTRPC()
  const begin = useMutation(trpc.identity.beginProof.mutationOptions())
  const { data } = useQuery(trpc.identity.show.queryOptions())
  const hasPasskey = data !== undefined && data.factors.passkeys > 0
  const isHeldBack = useHeldBack(begin.error)
  const given = useEffectEvent(() => onEnd(true))
  useEffect(() => onProof(() => given()), [])
  // Opened by the press itself: browsers block what opens later.
  const open = (provider: string) => {
    const tab = window.open('about:blank', '_blank')
    begin.mutate(
      { provider },
      {
        onSuccess: ({ path }) => (tab ? tab.location.replace(path) : window.location.assign(path)),
        onError: () => tab?.close(),
      },
    )
  }
  return (
    <>
      {(providers.length > 0 || !hasPasskey) && (
        <p className="text-ink-soft">{providers.length === 0 ? t('proofNone') : t('proofTextProvider')}</p>
      )}
      <FormFailure error={begin.error} />
      <DialogActions>
        <Button onPress={() => onEnd(false)}>{tUi('cancel')}</Button>
        {providers.map(({ name, label }) => (
          <Button
            key={name}
            tone="primary"
            isPending={begin.isPending}
            isDisabled={isHeldBack}
            onPress={() => open(name)}
          >
            {t('proofByProvider', { provider: label })}
          </Button>
        ))}
      </DialogActions>
    </>
  )
}
