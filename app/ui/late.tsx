'use client'

import { type ComponentType, useEffect, useState } from 'react'

/** A component that is loaded when it is first shown, or before that by `load`. With `lazy`, React would show it 300 ms later, since it
 *  holds back what comes after a fallback. */
export function late<P extends object>(importing: () => Promise<ComponentType<P>>) {
  let Loaded: ComponentType<P> | null = null
  const begin = async () => {
    Loaded = await importing()
    return Loaded
  }
  function Late(props: P) {
    const [Shown, show] = useState(() => Loaded)
    useEffect(() => {
      const fail = (error: unknown) => {
        throw error
      }
      begin().then(
        (component) => show(() => component),
        (error) => show(() => fail(error)),
      )
    }, [])
    return Shown && <Shown {...props} />
  }
  return Object.assign(Late, { load: () => void begin().catch(() => {}) })
}
