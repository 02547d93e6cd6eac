import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns what keeps people from using the page as it is, in both themes. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(settleColours)
    // The second theme has other colours, and nothing else.
    const options = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] }
    const problems: string[] =
      await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ' at ' + node.target.join(' ') + ': ' + node.any.map(({ message }) => message).join(' '))))`)
    found.push(...problems.map((problem) => `${colorScheme}: ${problem}`))
  }
  return found
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

const sizes = new Map<string, number>()

/** Counts what a page loads as script, by the sizes of the built files when compressed by gzip. The script for browsers without
 *  modules is not loaded and not counted. */
export function weighScripts(page: Page): { total(): number; files(): readonly string[] } {
  const loaded = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/_next/static/') && pathname.endsWith('.js')) loaded.add(pathname)
  })
  return {
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
