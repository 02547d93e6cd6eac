'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from './button.tsx'
import { copyOrShow } from './copy.ts'
import { IconButton } from './icon-button.tsx'

interface Props {
  text: string
  label: string
  /** The text beside the icon; none for an icon button. */
  word?: string
  autoFocus?: boolean
}

/** Copies `text` and shows a check mark for two seconds. */
export function CopyButton({ text, label, word, autoFocus = false }: Props) {
  const t = useTranslations('ui')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await copyOrShow(text))) return
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  const name = isCopied ? t('copied') : label
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
      <span>{isCopied ? t('copied') : word}</span>
    </Button>
  )
}
