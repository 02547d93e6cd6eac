import type { TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import type { AppRouter } from '#server/trpc/router.ts'

/** Sends subscriptions. What it needs is loaded with the first one, because few pages subscribe. */
export function streamLink(url: string): TRPCLink<AppRouter> {
  return (runtime) => {
    const loaded = () => import('./streams.ts').then(({ createStreams }) => createStreams(url)(runtime))
    let link: ReturnType<typeof loaded> | null = null
    return (call) =>
      observable((observer) => {
        let stream: Unsubscribable | null = null
        let isOver = false
        link ??= loaded()
        link.then(
          (open) => {
            if (!isOver) stream = open(call).subscribe(observer)
          },
          (error) => {
            // The next subscription loads it again.
            link = null
            observer.error(error)
          },
        )
        return () => {
          isOver = true
          stream?.unsubscribe()
        }
      })
  }
}
