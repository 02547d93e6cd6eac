export type DeviceKind = 'computer' | 'phone'

/** A browser, by its names for people. */
export interface BrowserNames {
  readonly kind: DeviceKind
  readonly browser: string
  readonly system: string
}

// The order decides: every browser also claims to be an older one.
const browsers = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

const systems = [
  [/iPhone/, 'iPhone', 'phone'],
  [/iPad/, 'iPad', 'phone'],
  [/Android/, 'Android', 'phone'],
  [/Windows/, 'Windows', 'computer'],
  [/Macintosh|Mac OS X/, 'macOS', 'computer'],
  [/CrOS/, 'ChromeOS', 'computer'],
  [/Linux/, 'Linux', 'computer'],
] as const

/** Returns the browser that a User-Agent header names; null for any other program. */
export function parseBrowser(userAgent: string): BrowserNames | null {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))
  return browser && system ? { kind: system[2], browser, system: system[1] } : null
}
