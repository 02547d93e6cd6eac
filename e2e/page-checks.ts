import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Theme = 'light' | 'dark'

export const bothThemes = ['light', 'dark'] as const satisfies readonly Theme[]

/** Returns what keeps people from using the page as it is, in each of the themes. */
export async function findBarriers(page: Page, [first, ...others]: readonly [Theme, ...Theme[]] = bothThemes) {
  const problems = [...(await findBarriersIn(page, first))]
  // Another theme has other colours, and nothing else.
  for (const theme of others) problems.push(...(await findBarriersIn(page, theme, { runOnly: ['color-contrast'] })))
  return problems
}

/** The same in one theme; of what matches `within` alone, for example what is open above the page. */
export async function findBarriersIn(
  page: Page,
  colorScheme: Theme,
  { within = ':root', ...options }: { within?: string; runOnly?: readonly string[] } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(settleColours)
  const problems: string[] =
    await page.evaluate(`axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ' at ' + node.target.join(' ') + ': ' + node.any.map(({ message }) => message).join(' '))))`)
  return problems.map((problem) => `${colorScheme}: ${problem}`)
}

/** Waits, in the page, until every colour has changed. A transition of an inherited colour begins when that of its parent ends. */
async function settleColours(): Promise<void> {
  const frame = () => new Promise(requestAnimationFrame)
  let still = 0
  while (still < 3) {
    await frame()
    still = document.getAnimations().some(({ playState }) => playState === 'running') ? 0 : still + 1
  }
}

/** A page has its script if it has asked for none for this long. */
const QUIET_MS = 300

const sizes = new Map<string, number>()

/** Counts what a page loads as script, by the sizes of the built files when compressed by gzip. The script for browsers without
 *  modules is not loaded and not counted. */
export function weighScripts(page: Page): { settled(): Promise<void>; total(): number; files(): readonly string[] } {
  const loaded = new Set<string>()
  let lastAt = performance.now()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/_next/static/') || !pathname.endsWith('.js')) return
    loaded.add(pathname)
    lastAt = performance.now()
  })
  return {
    // A part that has run loads the next one at once.
    settled: () => expect.poll(() => performance.now() - lastAt, { intervals: [50] }).toBeGreaterThan(QUIET_MS),
    total: () => [...loaded].reduce((sum, path) => sum + gzipSize(path), 0),
    files: () => [...loaded],
  }
}

function gzipSize(path: string): number {
  const file = join(import.meta.dirname, '..', path.replace('/_next/', '.next/'))
  const size = sizes.get(path) ?? gzipSync(readFileSync(file)).length
  sizes.set(path, size)
  return size
}
