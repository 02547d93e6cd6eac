import type { Translate } from '#app/ui/translate.ts'

export type DeviceKind = 'computer' | 'phone' | 'program'

export interface Device {
  readonly kind: DeviceKind
  readonly name: string
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

/** Describes a User-Agent header: `Chrome on Linux`. Programs other than browsers are described by the first word. */
export function describeDevice(userAgent: string, t: Translate<'account'>): Device {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))
  if (browser && system) return { kind: system[2], name: t('device', { browser, system: system[1] }) }
  return { kind: 'program', name: userAgent.split(/[\s/]/)[0]?.slice(0, 40) || t('unknownDevice') }
}
