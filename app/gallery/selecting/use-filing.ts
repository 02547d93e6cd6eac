'use client'

import { useMemo } from 'react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { filingActions } from './filing-actions.ts'
import { useBulkActions } from './use-bulk-actions.ts'

export function useFiling() {
  const client = useTRPCClient()
  const { run } = useBulkActions()
  return useMemo(() => filingActions(client, run), [client, run])
}
