import { statfs } from 'node:fs/promises'
import type { Alarms } from '#server/images/alarms.ts'
import type { Decoder } from '#server/images/decoder/decoder.ts'
import type { CacheFigures } from '#server/storage/cached.ts'
import type { ReadValues } from '../metrics.ts'

export function readCache({ hits, misses, bytesServed, objects, bytes, maxBytes }: CacheFigures): ReadValues {
  return {
    sluice_cache_hits_total: [{ value: hits }],
    sluice_cache_misses_total: [{ value: misses }],
    sluice_cache_served_bytes_total: [{ value: bytesServed }],
    sluice_cache_objects: [{ value: objects }],
    sluice_cache_bytes: [{ value: bytes }],
    sluice_cache_max_bytes: [{ value: maxBytes }],
  }
}

export function readDecoder({ figures }: Pick<Decoder, 'figures'>): ReadValues {
  return {
    sluice_decoder_queue: [{ value: figures.waiting }],
    sluice_decoder_running: [{ value: figures.running }],
  }
}

export const readAlarms = (alarms: Alarms): ReadValues => ({
  sluice_image_alarms_total: Object.entries(alarms.counts()).map(([kind, value]) => ({ labels: { kind }, value })),
})

export async function readDisk(folder: string): Promise<ReadValues> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return {
    sluice_disk_free_bytes: [{ value: bavail * bsize }],
    sluice_disk_size_bytes: [{ value: blocks * bsize }],
  }
}
