import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Debian's browsers. The headless shell, which Playwright uses by default too, takes two thirds of the CPU of the other. */
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The Chromium of end-to-end tests: CHROMIUM_PATH, Debian's, or the one installed by Playwright; null if there is none. */
export function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env
  const candidates = [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : DEBIAN), chromium.executablePath()]
  return candidates.find((path) => existsSync(path)) ?? null
}
