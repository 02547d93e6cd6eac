import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { cache } from 'react'
import { type ParamsOf, type ReaderKey, type Translate, translatorFor } from '#messages/translate.ts'
import { currentApp } from '#server/current-app.ts'
import { sessionOfRequest } from './viewer.ts'

/** Returns the locale of this request's reader. */
export const localeOfRequest = cache(async () => {
  const [head, viewer] = await Promise.all([headers(), sessionOfRequest()])
  return currentApp().locale(head, viewer?.locale ?? null)
})

/** Returns what says sentences to this request's reader, for what the server renders; client components `useTranslations`. */
export const translatorOfRequest = cache(async (): Promise<Translate> => translatorFor(await localeOfRequest()))

/** Returns the `generateMetadata` of a page whose title is a message. */
export const titled =
  <Key extends ReaderKey>(key: Key, ...params: ParamsOf<Key>) =>
  async (): Promise<Metadata> => ({ title: (await translatorOfRequest())(key, ...params) })

/** The same for a page whose address gives a right: no other site learns the address, and no search engine keeps it. */
export const titledSecret =
  (...title: Parameters<typeof titled>) =>
  async (): Promise<Metadata> => ({
    ...(await titled(...title)()),
    referrer: 'no-referrer',
    robots: { index: false, follow: false },
  })
