'use client'

import dynamic from 'next/dynamic'
import { useProofRequest } from '#app/connection/proof-request.ts'

const ProofDialog = dynamic(() => import('./proof-dialog.tsx').then((module) => module.ProofDialog))

/** Asks who uses the session while a call waits for it. */
export function ProofDialogs({ username }: { username: string }) {
  const request = useProofRequest()
  return request && <ProofDialog username={username} onEnd={request.end} />
}
