import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The Chromium that end-to-end tests drive: CHROMIUM_PATH, Debian's, or the one Playwright installed; null without any. */
export function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env
  const candidates = [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : ['/usr/bin/chromium']), chromium.executablePath()]
  return candidates.find((path) => existsSync(path)) ?? null
}
