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

/** A User-Agent header as a person would say it: `Chrome on Linux`. Anything else is a program, by its own first word. */
export function deviceOf(userAgent: string): Device {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))
  if (browser && system) return { kind: system[2], name: `${browser} on ${system[1]}` }
  return { kind: 'program', name: userAgent.split(/[\s/]/)[0]?.slice(0, 40) || 'Unknown device' }
}
