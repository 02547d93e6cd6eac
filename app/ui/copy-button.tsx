'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from './copy.ts'
import { IconButton } from './icon-button.tsx'
import { toast } from './toast-queue.ts'

interface Props {
  text: string
  label: string
  /** Beside the sign, where there is room. */
  word?: string
  autoFocus?: boolean
}

/** Copies `text`, and says so by a tick for two seconds. */
export function CopyButton({ text, label, word, autoFocus = false }: Props) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await copyText(text)
    } catch {
      toast({ title: 'The browser did not allow copying. Allow it for this site, then try again.' })
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  const name = isCopied ? 'Copied' : label
  const sign = isCopied ? <Check size={16} className="text-good" /> : <Copy size={16} />
  if (!word)
    return (
      <IconButton label={name} onPress={copy} autoFocus={autoFocus}>
        {sign}
      </IconButton>
    )
  return (
    <Button size="small" aria-label={name} onPress={copy} autoFocus={autoFocus}>
      {sign}
      <span>{isCopied ? 'Copied' : word}</span>
    </Button>
  )
}
