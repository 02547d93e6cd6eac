'use client'

import { useState } from 'react'

/** Style elements that components add at run time take their nonce from here. A refresh of the page comes with the nonce of its
 *  own answer, but the policy in force stays that of the first. */
export function NonceMeta({ nonce }: { nonce: string | undefined }) {
  const [first] = useState(nonce)
  return <meta name="csp-nonce" nonce={first} suppressHydrationWarning />
}
