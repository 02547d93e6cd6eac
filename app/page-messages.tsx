import type { ReactNode } from 'react'
import { MoreMessages } from '#app/shell/messages.tsx'
import { catalogues } from '#messages/catalogues.ts'
import { localeOfRequest } from './locale.ts'
import type { PageArea } from './messages.d.ts'

/** Returns areas of messages in the locale of this request's reader. */
export async function messagesOfRequest(areas: readonly PageArea[]): Promise<object> {
  const catalogue = catalogues[await localeOfRequest()]
  return Object.fromEntries(areas.map((area) => [area, catalogue[area]]))
}

/** Gives a page the areas of messages that its client components say, besides those of the shell. A test compares them. */
export async function PageMessages({ areas, children }: { areas: readonly PageArea[]; children: ReactNode }) {
  return <MoreMessages messages={await messagesOfRequest(areas)}>{children}</MoreMessages>
}
