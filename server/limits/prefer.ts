/** Longer headers are ignored: no list of preferences takes as much. */
const LONGEST = 200

/** Returns the `wait` of a Prefer header (RFC 7240, section 4.3) in milliseconds: how long a program is willing to wait for
 *  its answer. Undefined without one; what cannot be read is ignored, as the RFC says. */
export function preferredWaitMs(header: string | undefined): number | undefined {
  if (header === undefined || header.length > LONGEST) return undefined
  // Other preferences may quote anything.
  const plain = header.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => (/^"\d+"$/.test(text) ? text.slice(1, -1) : '""'))
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*(\d{1,9})\s*(?=[;,]|$)/i.exec(plain) ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1_000
}
