import type { ICUArgs, MessageKeys, NestedKeyOf, NestedValueOf } from 'use-intl/core'
import { DEFAULT_LOCALE, type Locale } from '#format/locale.ts'
import { en } from './en.ts'
import { looseTranslator } from './loose-translator.ts'
import { formatParams, type Param, type Params } from './params.ts'

type Catalogue = typeof en

/** The key of a message, with its area: `errors.image-not-found`. */
export type MessageKey = MessageKeys<Catalogue, NestedKeyOf<Catalogue>>

/** The values that a message names, each of which is required. */
export type MessageParams<Key extends MessageKey> = ICUArgs<
  NestedValueOf<Catalogue, Key>,
  { ICUArgument: Param; ICUNumberArgument: number; ICUDateArgument: never }
>

/** The arguments behind a key: none for a message without values. */
export type ParamsOf<Key extends MessageKey> = keyof MessageParams<Key> extends never
  ? [params?: undefined]
  : [params: MessageParams<Key>]

const translators = { en: looseTranslator('en', en) } as const satisfies Record<Locale, unknown>

/** A sentence of the catalogue, for the server and the command line; pages use `useTranslations`. Throws for a key that is
 *  not there. */
export function translate<Key extends MessageKey>(key: Key, ...params: ParamsOf<Key>): string
export function translate(key: MessageKey, params: Params = {}): string {
  return translateLoose(key, params, DEFAULT_LOCALE)
}

/** The same where the types of the key and of its values were checked when they were put together. */
export const translateLoose = (key: MessageKey, params: Params, locale: Locale): string =>
  translators[locale](key, formatParams(params, locale))
