import type { PageBridge } from '#server/http/pages/page-bridge.ts'

/** Next loads its own copies of modules in the same process, so the server and its pages meet at this symbol of globalThis. */
const symbol = Symbol.for('sluice.app')

/** Returns the bridge by which pages call the server. Throws if no server runs in this process. */
export function currentApp(): PageBridge {
  const bridge: PageBridge | undefined = Reflect.get(globalThis, symbol)
  if (!bridge) throw new Error('pages run inside the server: start it with npm start')
  return bridge
}

/** Call once, at start. */
export function setCurrentApp(bridge: PageBridge): void {
  Reflect.set(globalThis, symbol, bridge)
}
