'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { FingerprintPattern } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Or } from '#app/ui/or.tsx'
import { askPasskey } from './passkeys.ts'
import { useHasPasskeys } from './use-has-passkeys.ts'

/** Asks for a passkey before another proof, of an account that has one. */
export function ProofByPasskey({ onGiven }: { onGiven: () => void }) {
  const t = useTranslations('shell')
  const tSignIn = useTranslations('signIn')
  const tFailures = useTranslations('failures')
  const { identity } = useTRPCClient()
  const isPossible = useHasPasskeys()
  const { data } = useQuery(useTRPC().identity.show.queryOptions())
  const prove = useMutation({
    mutationFn: async () => {
      const { answer } = await askPasskey(await identity.beginPasskeyProof.mutate(), tFailures)
      return identity.proveByPasskey.mutate({ answer })
    },
    onSuccess: onGiven,
  })
  const isHeldBack = useHeldBack(prove.error)
  if (!isPossible || !data || data.factors.passkeys === 0) return null
  return (
    <div className="flex flex-col gap-4">
      <FormFailure error={prove.error} />
      <Button isPending={prove.isPending} isDisabled={isHeldBack} onPress={() => prove.mutate()}>
        <FingerprintPattern size={18} /> {t('proofByPasskey')}
      </Button>
      <Or>{tSignIn('or')}</Or>
    </div>
  )
}
