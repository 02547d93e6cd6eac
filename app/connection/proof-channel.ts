/** Between the tabs of a browser: a proof that one has asked for was given in another. */
const NAME = 'sluice.proof'

export function announceProof(): void {
  const channel = new BroadcastChannel(NAME)
  channel.postMessage('given')
  channel.close()
}

/** Calls back when a proof was given in another tab. Returns what ends it. */
export function onProof(given: () => void): () => void {
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = given
  return () => channel.close()
}
