import { router } from '#server/trpc/init.ts'
import { deleteMany } from './bulk/delete-many.ts'
import { purgeMany } from './bulk/purge-many.ts'
import { restoreMany } from './bulk/restore-many.ts'
import { setFavouriteMany } from './bulk/set-favourite-many.ts'
import { setVisibilityMany } from './bulk/set-visibility-many.ts'
import { deleteImage } from './delete-image.ts'
import { downloadImage } from './download-image.ts'
import { getImage } from './get-image.ts'
import { imageUsage } from './image-usage.ts'
import { deleteByLink } from './links/delete-by-link.ts'
import { showByLink } from './links/show-by-link.ts'
import { countImages } from './listing/count-images.ts'
import { listImages } from './listing/list-images.ts'
import { neighbours } from './listing/neighbours.ts'
import { timeline } from './listing/timeline.ts'
import { myStorage } from './my-storage.ts'
import { purgeImage } from './purge-image.ts'
import { restoreImage } from './restore-image.ts'
import { setFavourite } from './set-favourite.ts'
import { updateImage } from './update-image.ts'
import { uploadImage } from './uploading/upload-image.ts'
import { downloadMany } from './zip/download-many.ts'
import { exportPart } from './zip/export-part.ts'

export const imageRouter = router({
  upload: uploadImage,
  list: listImages,
  count: countImages,
  timeline,
  get: getImage,
  neighbours,
  download: downloadImage,
  update: updateImage,
  favourite: setFavourite,
  delete: deleteImage,
  restore: restoreImage,
  purge: purgeImage,
  deleteMany,
  restoreMany,
  purgeMany,
  setVisibilityMany,
  favouriteMany: setFavouriteMany,
  downloadMany,
  exportPart,
  storage: myStorage,
  usage: imageUsage,
  showByLink,
  deleteByLink,
})
