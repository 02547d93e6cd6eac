/** A size as people write it: '20MB', '1.5GB'. */
export type ByteSize = `${number}${'B' | 'KB' | 'MB' | 'GB' | 'TB'}`

const factors = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const
const pattern = /^(\d+(?:\.\d+)?)\s*([KMGT]?B)$/i

/** The bytes of a size such as '25MB' or '1.5 gb', rounded; a kB has 1,024, as in the pages. Null for anything else. */
export function parseByteSize(text: string): number | null {
  const [, digits = '', unit = ''] = pattern.exec(text.trim()) ?? []
  const factor = Object.entries(factors).find(([name]) => name === unit.toUpperCase())?.[1]
  if (!factor) return null
  const bytes = Math.round(Number(digits) * factor)
  return Number.isSafeInteger(bytes) ? bytes : null
}

/** The shortest exact spelling: 20_971_520 is '20 MB', 1_000 is '1000 B'. */
export function shortByteSize(bytes: number): string {
  const units = Object.entries(factors).toReversed()
  const [unit, factor] = units.find(([, size]) => bytes >= size && Number.isInteger((bytes / size) * 10)) ?? ['B', 1]
  return `${bytes / factor} ${unit}`
}
