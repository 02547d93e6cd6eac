import type { Translate } from '#app/ui/translate.ts'
import { type DeviceKind as BrowserKind, parseBrowser } from '#format/device.ts'

export type DeviceKind = BrowserKind | 'program'

export interface Device {
  readonly kind: DeviceKind
  readonly name: string
}

/** Describes a User-Agent header: `Chrome on Linux`. Programs other than browsers are described by the first word. */
export function describeDevice(userAgent: string, t: Translate<'account'>): Device {
  const found = parseBrowser(userAgent)
  if (found) return { kind: found.kind, name: t('device', { browser: found.browser, system: found.system }) }
  return { kind: 'program', name: userAgent.split(/[\s/]/)[0]?.slice(0, 40) || t('unknownDevice') }
}
