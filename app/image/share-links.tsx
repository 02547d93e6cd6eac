'use client'

import { CopyButton } from '#app/ui/copy-button.tsx'
import { snippetsOf } from './snippets.ts'

interface Props {
  /** The address of the image's page. */
  page: string
  url: string
  title: string
  width: number
  height: number
}

/** The address of the image's page, and of the image itself in four forms, each a press away. */
export function ShareLinks({ page, ...image }: Props) {
  return (
    <ul className="overflow-hidden rounded-md border border-line bg-surface">
      {[{ name: 'Page', text: page }, ...snippetsOf(image)].map(({ name, text }) => (
        <li key={name} className="flex h-10 items-center gap-3 border-line pr-1 pl-3 not-last:border-b">
          <span className="w-18 shrink-0 text-sm">{name}</span>
          <code dir="ltr" className="min-w-0 flex-1 truncate font-mono text-[0.8125rem] text-ink-soft">
            {text}
          </code>
          <CopyButton text={text} label={`Copy as ${name}`} />
        </li>
      ))}
    </ul>
  )
}
