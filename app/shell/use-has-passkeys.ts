import { useSyncExternalStore } from 'react'
import { hasPasskeys } from './passkeys.ts'

const never = () => () => undefined

/** Whether the browser has passkeys; yes while the page has not reached it. */
export const useHasPasskeys = (): boolean => useSyncExternalStore(never, hasPasskeys, () => true)
