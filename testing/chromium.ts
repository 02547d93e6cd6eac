import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The Chromium of end-to-end tests: CHROMIUM_PATH, Debian's, or the one installed by Playwright; null if there is none. */
export function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env
  const candidates = [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : ['/usr/bin/chromium']), chromium.executablePath()]
  return candidates.find((path) => existsSync(path)) ?? null
}
