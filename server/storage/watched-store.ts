import type { Watch } from '#server/tracing/watch.ts'
import type { ObjectStore } from './object-store.ts'

export type WatchStore = Watch<'put' | 'open' | 'size' | 'delete' | 'check'>

/** Has the calls of a store watched. A list takes as long as its reader does, and is not. */
export function watchStore(store: ObjectStore, watch: WatchStore): ObjectStore {
  return {
    ...store,
    put: (key, source, size) =>
      watch(
        'put',
        () => store.put(key, source, size),
        () => ({ bytes: size }),
      ),
    open: (key, range, size) => watch('open', () => store.open(key, range, size)),
    readSize: (key) => watch('size', () => store.readSize(key)),
    delete: (key, signal) => watch('delete', () => store.delete(key, signal)),
    check: () => watch('check', () => store.check()),
  }
}
