import { BodyRoom } from './body-room.ts'
import { bytesIn } from './byte-range.ts'
import type { Meter } from './meter.ts'
import type { ObjectStore } from './object-store.ts'

/** Meters a store in which each operation is one request, such as a disk: counts the request before the operation, then
 *  its bytes. The bucket client meters each HTTP attempt instead (s3/attempts.ts). */
export function metered(store: ObjectStore, meter: Meter): ObjectStore {
  return {
    ...store,
    async put(key, source, size) {
      const room = await meter.reserve('in', size)
      try {
        await meter.request('writes')
        // Counted before the put: if it fails, nobody knows how much was transferred.
        room.moved(size)
        await store.put(key, source, size)
      } finally {
        room.end()
      }
    },
    async open(key, range) {
      await meter.request('reads')
      const opened = await store.open(key, range)
      // The size is not known before the object is open.
      using room = await BodyRoom.reserve(meter, 'out', 0)
      await room.take(opened.body, bytesIn(range, opened.size), meter)
      return opened
    },
    async readSize(key) {
      await meter.request('reads')
      return store.readSize(key)
    },
    async delete(key, signal) {
      await meter.request('deletes')
      await store.delete(key, signal)
    },
    async *list(prefix) {
      await meter.request('writes')
      yield* store.list(prefix)
    },
  }
}
