import { BookImage, Images, type LucideIcon, SlidersHorizontal, Trash2 } from 'lucide-react'
import { type Account, isAdminAccount } from './session.tsx'

export interface NavigationPlace {
  readonly href: string
  /** A key of the messages `shell`. */
  readonly name: 'images' | 'albums' | 'trash' | 'admin' | 'account'
  readonly icon: LucideIcon
}

interface AdminPlace {
  readonly href: string
  /** A key of the messages `shell`. */
  readonly name: 'users' | 'reports' | 'limits' | 'jobs' | 'audit' | 'site' | 'access' | 'spending' | 'backups'
}

/** Returns the main navigation of an account. */
export function placesFor(account: Account): readonly NavigationPlace[] {
  const places: readonly NavigationPlace[] = [
    { href: '/', name: 'images', icon: Images },
    { href: '/albums', name: 'albums', icon: BookImage },
    { href: '/trash', name: 'trash', icon: Trash2 },
  ]
  return isAdminAccount(account)
    ? [...places, { href: '/admin/users', name: 'admin', icon: SlidersHorizontal }]
    : places
}

/** Returns the navigation between admin pages. */
export function adminPlacesFor({ role, shared }: Account): readonly AdminPlace[] {
  const places: readonly AdminPlace[] = [
    { href: '/admin/users', name: 'users' },
    { href: '/admin/reports', name: 'reports' },
    { href: '/admin/limits', name: 'limits' },
    { href: '/admin/jobs', name: 'jobs' },
    // An account of several people sees neither who did what nor the settings.
    ...(shared
      ? []
      : ([
          { href: '/admin/audit', name: 'audit' },
          { href: '/admin/site', name: 'site' },
        ] as const)),
  ]
  const owners: readonly AdminPlace[] = [
    { href: '/admin/access', name: 'access' },
    { href: '/admin/spending', name: 'spending' },
    { href: '/admin/backups', name: 'backups' },
  ]
  return role === 'superadmin' ? [...places, ...owners] : places
}

/** Whether `pathname` belongs to `href`. Image pages belong to the gallery, and all admin pages to Admin. */
export function isCurrent(href: string, pathname: string): boolean {
  if (href === '/') return pathname === '/' || pathname.startsWith('/image/')
  return pathname.startsWith(href === '/admin/users' ? '/admin' : href)
}
