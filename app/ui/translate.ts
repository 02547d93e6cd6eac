import type { Messages, NamespaceKeys, NestedKeyOf, _Translator as Translator } from 'use-intl/core'

/** What `useTranslations(area)` returns, for functions beside components. */
export type Translate<Area extends NamespaceKeys<Messages, NestedKeyOf<Messages>>> = Translator<Messages, Area>
