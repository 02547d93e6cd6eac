import { callerOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'

/** Returns the open profile of a user; null if there is none, and while a limit refuses to look. */
export async function findProfile(owner: string) {
  const { profile } = await callerOfRequest()
  try {
    return await profile.show({ owner })
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
    if (code === 'NOT_FOUND' || currentApp().refusalIn(error)) return null
    throw error
  }
}
