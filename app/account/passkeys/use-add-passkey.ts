import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { makePasskey } from '#app/shell/passkeys.ts'
import { describeDevice } from '../device.ts'

export type AddedPasskey = Outputs['identity']['addPasskey']

/** Adds a passkey: the browser asks for it by itself. One that does not state what keeps it is named for the browser. */
export function useAddPasskey(onAdded: (added: AddedPasskey) => void) {
  const tAccount = useTranslations('account')
  const tFailures = useTranslations('failures')
  const { identity } = useTRPCClient()
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const add = async () => {
    const answer = await makePasskey(await identity.beginPasskey.mutate(), tFailures)
    return identity.addPasskey.mutate({ answer, name: describeDevice(navigator.userAgent, tAccount).name })
  }
  return useMutation({
    mutationFn: add,
    // The cache must not keep a copy of the recovery codes.
    gcTime: 0,
    onSuccess: (added) => {
      onAdded(added)
      return queryClient.invalidateQueries({ queryKey: trpc.identity.pathKey() })
    },
  })
}
