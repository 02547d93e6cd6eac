'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { EventSource } from 'eventsource'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { useLocale } from 'use-intl/react'
import { languageTag } from '#format/locale.ts'
import type { AppRouter } from '#server/trpc/router.ts'
import { fetchStream } from './event-source.ts'
import { limitLink } from './limit-link.ts'
import { createQueryClient } from './query-client.ts'
import { TRPCProvider } from './trpc.ts'

const url = '/api/trpc'

/** Milliseconds that a subscription waits for a free place. */
const streamPatienceMs = 60_000

/** Provides one tRPC client and one query cache for the page's lifetime. */
export function Connection({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [queryClient] = useState(createQueryClient)
  const [trpcClient] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: ({ type }) => type === 'subscription',
          true: [
            limitLink({ waitUpToMs: streamPatienceMs }),
            httpSubscriptionLink({ url, EventSource, eventSourceOptions: { fetch: fetchStream } }),
          ],
          false: [
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
    <I18nProvider locale={languageTag(useLocale())}>
      <RouterProvider navigate={(path) => router.push(path)}>
        <QueryClientProvider client={queryClient}>
          <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
            {children}
          </TRPCProvider>
        </QueryClientProvider>
      </RouterProvider>
    </I18nProvider>
  )
}
