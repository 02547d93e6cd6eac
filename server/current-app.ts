import type { PageBridge } from '#server/http/pages/page-bridge.ts'

/** Pages and the server load their modules apart, in one process; they meet at this symbol of globalThis. */
const symbol = Symbol.for('sluice.app')

/** What pages may ask of the server. Throws when no server runs in this process. */
export function currentApp(): PageBridge {
  const bridge: PageBridge | undefined = Reflect.get(globalThis, symbol)
  if (!bridge) throw new Error('Pages run inside the server: start it with npm start.')
  return bridge
}

/** Called once, by main.ts. */
export function setCurrentApp(bridge: PageBridge): void {
  Reflect.set(globalThis, symbol, bridge)
}
