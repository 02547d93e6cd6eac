'use client'

import dynamic from 'next/dynamic'

/** What pages of signed-in users show. The frame loads it and not the page, because a part repeats what those before it do not
 *  have: from a page, that would be all that it shares with the frame. */
export const accountParts = {
  AccessPage: dynamic(() => import('#app/admin/access/access-page.tsx').then((module) => module.AccessPage)),
  AccountPage: dynamic(() => import('#app/account/account-page.tsx').then((module) => module.AccountPage)),
  AlbumPage: dynamic(() => import('#app/albums/album-page.tsx').then((module) => module.AlbumPage)),
  AlbumsPage: dynamic(() => import('#app/albums/albums-page.tsx').then((module) => module.AlbumsPage)),
  AuditPage: dynamic(() => import('#app/admin/audit/audit-page.tsx').then((module) => module.AuditPage)),
  BackupsPage: dynamic(() => import('#app/admin/backups/backups-page.tsx').then((module) => module.BackupsPage)),
  Gallery: dynamic(() => import('#app/gallery/gallery.tsx').then((module) => module.Gallery)),
  ImagePage: dynamic(() => import('#app/image/image-page.tsx').then((module) => module.ImagePage)),
  JobsPage: dynamic(() => import('#app/admin/jobs/jobs-page.tsx').then((module) => module.JobsPage)),
  LimitsPage: dynamic(() => import('#app/admin/limits/limits-page.tsx').then((module) => module.LimitsPage)),
  ReportsPage: dynamic(() => import('#app/admin/reports/reports-page.tsx').then((module) => module.ReportsPage)),
  SharesPage: dynamic(() => import('#app/shares/shares-page.tsx').then((module) => module.SharesPage)),
  SitePage: dynamic(() => import('#app/admin/site/site-page.tsx').then((module) => module.SitePage)),
  SpendingPage: dynamic(() => import('#app/admin/spending/spending-page.tsx').then((module) => module.SpendingPage)),
  Tags: dynamic(() => import('#app/tags/tags.tsx').then((module) => module.Tags)),
  Trash: dynamic(() => import('#app/trash/trash.tsx').then((module) => module.Trash)),
  UsersPage: dynamic(() => import('#app/admin/users/users-page.tsx').then((module) => module.UsersPage)),
}
