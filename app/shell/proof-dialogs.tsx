'use client'

import { useProofRequest } from '#app/connection/proof-request.ts'
import { late } from '#app/ui/late.tsx'

// It appears while anything may be typed: without a boundary of its own, React would show none of that before its script has come.
const ProofDialog = late(() => import('./proof-dialog.tsx'))

/** Asks who uses the session while a call waits for it. */
export function ProofDialogs({ username }: { username: string }) {
  const request = useProofRequest()
  return request && <ProofDialog username={username} onEnd={request.end} />
}
