import type { Locale } from '#format/locale.ts'
import { fatal as en } from './en/fatal.ts'
import type { Shape } from './shape.ts'
import { fatal as zhCN } from './zh-CN/fatal.ts'

/** The few sentences that a page has in every language, because no server chooses one for it. */
export const fatal = { en, 'zh-CN': zhCN } as const satisfies Record<Locale, Shape<typeof en>>
