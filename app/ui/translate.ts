import type { Messages, NamespaceKeys, NestedKeyOf, _Translator as Translator } from 'use-intl/core'

/** The return type of `useTranslations(area)`, for functions outside components. */
export type Translate<Area extends NamespaceKeys<Messages, NestedKeyOf<Messages>>> = Translator<Messages, Area>
