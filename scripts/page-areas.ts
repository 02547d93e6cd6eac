import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findImports } from './imports.ts'

/** How client components say the messages of an area. Some are said by codes (app/limits/use-error-message.ts). */
const SAID = [/\buseTranslations\('(\w+)'\)/g, /`(errors|invalid)\.\$\{/g]

/** Returns the areas of messages that a module of app/ or what it imports can say in the browser. */
export function areasSaid(entry: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const areas = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const code = readFileSync(path, 'utf8')
    for (const [, area = ''] of SAID.flatMap((pattern) => [...code.matchAll(pattern)])) areas.add(area)
    for (const { target, typeOnly } of findImports(path, code).imports)
      if (!typeOnly && /^app\/.*\.tsx?$/.test(target)) visit(target)
  }
  visit(entry)
  return areas
}

/** Returns the areas that a page or a layout loads itself. */
export function areasLoaded(path: string): readonly string[] {
  const code = readFileSync(path, 'utf8')
  const lists = code.matchAll(/(?:areas=\{|areas: readonly PageArea\[\] = )\[([^\]]*)\]/g)
  return [...lists].flatMap(([, list = '']) => [...list.matchAll(/'(\w+)'/g)].map(([, area = '']) => area))
}

/** Returns the layouts around a page, the outermost first. */
export function layoutsAround(page: string): readonly string[] {
  const folders = dirname(page).split('/')
  return folders
    .map((_, at) => join(...folders.slice(0, at + 1), 'layout.tsx'))
    .filter((path) => path !== page && existsSync(path))
}
