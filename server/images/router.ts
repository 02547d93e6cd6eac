import { router } from '#server/trpc/init.ts'
import { deleteMany } from './bulk/delete-many.ts'
import { purgeMany } from './bulk/purge-many.ts'
import { restoreMany } from './bulk/restore-many.ts'
import { setVisibilityMany } from './bulk/set-visibility-many.ts'
import { deleteImage } from './delete-image.ts'
import { downloadImage } from './download-image.ts'
import { getImage } from './get-image.ts'
import { deleteByLink } from './links/delete-by-link.ts'
import { showByLink } from './links/show-by-link.ts'
import { listImages } from './list-images.ts'
import { myStorage } from './my-storage.ts'
import { purgeImage } from './purge-image.ts'
import { restoreImage } from './restore-image.ts'
import { updateImage } from './update-image.ts'
import { uploadImage } from './uploading/upload-image.ts'
import { downloadMany } from './zip/download-many.ts'
import { exportPart } from './zip/export-part.ts'

export const imageRouter = router({
  upload: uploadImage,
  list: listImages,
  get: getImage,
  download: downloadImage,
  update: updateImage,
  delete: deleteImage,
  restore: restoreImage,
  purge: purgeImage,
  deleteMany,
  restoreMany,
  purgeMany,
  setVisibilityMany,
  downloadMany,
  exportPart,
  storage: myStorage,
  showByLink,
  deleteByLink,
})
