import type { ICUArgs, MessageKeys, NestedKeyOf, NestedValueOf } from 'use-intl/core'
import { type Locale, locales } from '#format/locale.ts'
import { catalogues, type EnglishArea } from './catalogues.ts'
import type { en } from './en.ts'
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

/** The keys that every locale has. */
export type ReaderKey = Exclude<MessageKey, `${EnglishArea}.${string}`>

/** Says a sentence of the catalogue. Throws for a key that is not there. */
export type Translate<Keys extends MessageKey = ReaderKey> = <Key extends Keys>(
  key: Key,
  ...params: ParamsOf<Key>
) => string

const loose = new Map(locales.map((locale) => [locale, looseTranslator(locale, catalogues[locale])]))

/** A sentence in a reader's locale, where the types of the key and of its values were checked when they were put together. */
export const translateLoose = (key: MessageKey, params: Params, locale: Locale): string =>
  loose.get(locale)?.(key, formatParams(params, locale)) ?? key

const translators = new Map(locales.map((locale): [Locale, Translate] => [locale, createTranslate(locale)]))

/** Returns what says sentences in a reader's locale, for pages that the server renders and documents that it writes; components
 *  in the browser use `useTranslations`. */
export const translatorFor = (locale: Locale): Translate => translators.get(locale) ?? createTranslate(locale)

/** Says a sentence in English: for programs, logs and the command line. */
export const translate = createTranslate('en')

function createTranslate(locale: Locale): Translate<MessageKey> {
  function say<Key extends MessageKey>(key: Key, ...params: ParamsOf<Key>): string
  function say(key: MessageKey, params: Params = {}): string {
    return translateLoose(key, params, locale)
  }
  return say
}
