import type { Sharp } from 'sharp'

export async function openApng(bytes: Buffer): Promise<() => Sharp> {
  throw new Error(`${bytes.length}`)
}
