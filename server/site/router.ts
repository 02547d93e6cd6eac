import { siteMaintenance } from '#server/accounts/site-maintenance.ts'
import { router } from '#server/trpc/init.ts'
import { showPublicSite } from './show-public-site.ts'
import { showSettings } from './show-settings.ts'
import { updateSettings } from './update-settings.ts'
import { uploadImage } from './upload-image.ts'

export const siteRouter = router({
  maintenance: siteMaintenance,
  public: showPublicSite,
  settings: showSettings,
  update: updateSettings,
  uploadImage,
})
