'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, splitLink } from '@trpc/client'
import { type ReactNode, useState } from 'react'
import type { AppRouter } from '#server/trpc/router.ts'
import { limitLink } from './limit-link.ts'
import { proofLink } from './proof-link.ts'
import { askForProof } from './proof-request.ts'
import { createQueryClient } from './query-client.ts'
import { streamLink } from './stream-link.ts'
import { TRPCProvider } from './trpc.ts'

const url = '/api/trpc'

/** Milliseconds that a subscription waits for a free place. */
const streamPatienceMs = 60_000

/** Provides one tRPC client and one query cache for the page's lifetime. */
export function Connection({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  const [trpcClient] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: ({ type }) => type === 'subscription',
          true: [limitLink({ waitUpToMs: streamPatienceMs }), streamLink(url)],
          false: [
            proofLink(askForProof),
            limitLink(),
            httpBatchLink({
              url,
              maxItems: 20,
              fetch: (address, init) => fetch(address, { ...init, credentials: 'same-origin' }),
            }),
          ],
        }),
      ],
    }),
  )
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  )
}
