import type { Locale } from '#format/locale.ts'
import { en } from './en.ts'
import type { Shape } from './shape.ts'
import { zhCN } from './zh-CN.ts'

/** The areas of the command line, which speaks English only. */
export type EnglishArea = 'cli' | 'cliHelp'

/** Every sentence, by locale. The server loads them all; a page gets the areas that it says, of one locale. */
export const catalogues = { en, 'zh-CN': zhCN } as const satisfies Record<Locale, Shape<Omit<typeof en, EnglishArea>>>
