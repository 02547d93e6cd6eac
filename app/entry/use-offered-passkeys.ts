import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { useEffect, useEffectEvent, useState } from 'react'
import { type Asked, canOfferPasskeys, offerPasskeys } from '#app/shell/passkeys.ts'

/** Milliseconds after which what is offered is renewed: the server takes answers for ten minutes. */
const RENEWED_MS = 8 * 60_000

interface Options {
  readonly begin: () => Promise<PublicKeyCredentialRequestOptionsJSON>
  readonly onChosen: (asked: Asked) => void
}

/** Offers passkeys among the names that the browser fills in, in browsers that can. Returns a function that offers them again, which a
 *  failed attempt has ended. */
export function useOfferedPasskeys({ begin, onChosen }: Options): () => void {
  const [round, setRound] = useState(0)
  const again = () => setRound((now) => now + 1)
  const offer = useEffectEvent(async (isCurrent: () => boolean) => {
    if (!(await canOfferPasskeys()) || !isCurrent()) return
    const options = await begin().catch(() => null)
    const asked = options && isCurrent() ? await offerPasskeys(options) : null
    if (asked && isCurrent()) onChosen(asked)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round offers them anew
  useEffect(() => {
    let isCurrent = true
    void offer(() => isCurrent)
    const renewal = setTimeout(again, RENEWED_MS)
    return () => {
      isCurrent = false
      clearTimeout(renewal)
    }
  }, [round])
  return again
}
