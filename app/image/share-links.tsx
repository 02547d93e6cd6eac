'use client'

import { CopyButton } from '#app/ui/copy-button.tsx'
import { snippetsOf } from './snippets.ts'

interface Props {
  url: string
  title: string
  width: number
  height: number
}

/** The image's address in four forms, each a press away. */
export function ShareLinks(props: Props) {
  return (
    <ul className="overflow-hidden rounded-md border border-line bg-surface">
      {snippetsOf(props).map(({ name, text }) => (
        <li key={name} className="flex h-10 items-center gap-3 border-line pr-1 pl-3 not-last:border-b">
          <span className="w-18 shrink-0 text-sm">{name}</span>
          <code className="min-w-0 flex-1 truncate font-mono text-[0.8125rem] text-ink-soft">{text}</code>
          <CopyButton text={text} label={`Copy as ${name}`} />
        </li>
      ))}
    </ul>
  )
}
