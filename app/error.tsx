'use client'

import { useEffect, useState } from 'react'
import { Blank } from '#app/shell/blank.tsx'
import { Button } from '#app/ui/button.tsx'

interface Props {
  error: Error & { digest?: string }
  reset: () => void
}

/** What a page that failed shows: the ids under which the log of the server tells more. */
export default function ErrorPage({ error, reset }: Props) {
  const [requestId, setRequestId] = useState('')
  useEffect(() => {
    setRequestId(document.querySelector<HTMLMetaElement>('meta[name=request-id]')?.content ?? '')
  }, [])
  const ids = [requestId && `request ${requestId}`, error.digest && `error ${error.digest}`].filter(Boolean).join('\n')
  return (
    <Blank
      title="Something went wrong"
      text={
        <>
          It is our fault, not yours, and nothing you uploaded is lost.
          {ids && <code className="mt-3 block font-mono text-[0.8125rem] break-all whitespace-pre-line">{ids}</code>}
        </>
      }
    >
      <Button tone="primary" onPress={reset}>
        Try again
      </Button>
      <Button onPress={() => window.location.assign('/')}>To the images</Button>
    </Blank>
  )
}
