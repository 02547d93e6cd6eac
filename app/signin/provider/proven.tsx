'use client'

import { useEffect } from 'react'
import { announceProof } from '#app/connection/proof-channel.ts'

/** Tells the page that has asked for a proof, in another tab, that it was given; then closes this tab, where the browser allows it. */
export function Proven() {
  useEffect(() => {
    announceProof()
    window.close()
  }, [])
  return null
}
