import { useEffect, useEffectEvent } from 'react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'

/** Milliseconds until the first look, and between later ones at most. */
const [FIRST_MS, LAST_MS] = [1_000, 60_000]

/** Reads a new image again until its larger variants are made, more and more rarely. */
export function useAwaited({ id, variantsAwaited }: ImageItem, onMade: (image: ImageItem) => void): void {
  const client = useTRPCClient()
  const made = useEffectEvent(onMade)
  useEffect(() => {
    if (!variantsAwaited) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const lookIn = (ms: number) => {
      timer = setTimeout(async () => {
        const now = await client.image.get.query({ id }).catch(() => null)
        if (isOver) return
        if (now?.variantsAwaited === false) made(now)
        else if (ms < LAST_MS) lookIn(ms * 2)
      }, ms)
    }
    lookIn(FIRST_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [client, id, variantsAwaited])
}
