import { QueryClient } from '@tanstack/react-query'
import { chooseRetryDelay, findRefusal } from '#app/limits/refusal.ts'

/**
 * Refused queries wait for their limit and are retried; network failures are retried twice; every other error is final.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => (findRefusal(error) ? failures < 8 : isTransport(error) && failures < 2),
        retryDelay: (failures, error) => chooseRetryDelay(error, failures, Math.random()),
      },
      mutations: { retry: false },
    },
  })
}

function isTransport(error: Error): boolean {
  return !('data' in error) || error.data === undefined || error.data === null
}
