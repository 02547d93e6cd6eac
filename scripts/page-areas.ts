import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findImports } from './imports.ts'

/** How client components say the messages of an area. Errors that were kept are said by codes (app/limits/use-error-text.ts). */
const SAID = [/\buseTranslations\('(\w+)'\)/g, /`(errors)\.\$\{/g]

/** The modules that load parts of pages, and where each part is by its name. */
const PARTS = ['app/shell/account-parts.ts', 'app/shell/guest-parts.ts']
const PART = /(\w+)(?:: | = )dynamic\(\s*\(\) =>\s*import\('#(app\/[^']+)'\)/g

const parts = new Map(
  PARTS.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(PART)].map(([, name = '', target = '']) => [name, target] as const),
  ),
)

/** How pages get at the parts. */
const GIVES_PARTS = new Set([...PARTS, 'app/shell/account-pages.tsx'])

/** Returns the parts that a module names, if it gets at them. */
function partsIn(code: string, imported: readonly string[]): readonly string[] {
  if (!imported.some((target) => GIVES_PARTS.has(target))) return []
  return [...parts].flatMap(([name, target]) => (new RegExp(`\\b${name}\\b`).test(code) ? [target] : []))
}

/** Returns the areas of messages that a module of app/ or what it imports can say in the browser. */
export function areasSaid(entry: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const areas = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const code = readFileSync(path, 'utf8')
    for (const [, area = ''] of SAID.flatMap((pattern) => [...code.matchAll(pattern)])) areas.add(area)
    const imported = findImports(path, code).imports.flatMap(({ target, typeOnly }) => (typeOnly ? [] : [target]))
    for (const target of [...imported, ...partsIn(code, imported)])
      if (/^app\/.*\.tsx?$/.test(target) && !GIVES_PARTS.has(target)) visit(target)
  }
  visit(entry)
  return areas
}

/** Returns the lists of areas that a page or a layout loads itself, one for each kind of reader. */
export function areaLists(path: string): readonly (readonly string[])[] {
  const code = readFileSync(path, 'utf8')
  const lists = code.matchAll(/(?:areas=\{|areas: readonly PageArea\[\] = )\[([^\]]*)\]/g)
  return [...lists].map(([, list = '']) => [...list.matchAll(/'(\w+)'/g)].map(([, area = '']) => area))
}

/** Returns the layouts around a page, the outermost first. */
export function layoutsAround(page: string): readonly string[] {
  const folders = dirname(page).split('/')
  return folders
    .map((_, at) => join(...folders.slice(0, at + 1), 'layout.tsx'))
    .filter((path) => path !== page && existsSync(path))
}
