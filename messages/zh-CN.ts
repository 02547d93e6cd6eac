import { account } from './zh-CN/account.ts'
import { credentials } from './zh-CN/credentials.ts'
import { deletion } from './zh-CN/deletion.ts'
import { errors } from './zh-CN/errors.ts'
import { failures } from './zh-CN/failures.ts'
import { gallery } from './zh-CN/gallery.ts'
import { http } from './zh-CN/http.ts'
import { image } from './zh-CN/image.ts'
import { invalid } from './zh-CN/invalid.ts'
import { shell } from './zh-CN/shell.ts'
import { signIn } from './zh-CN/sign-in.ts'
import { trash } from './zh-CN/trash.ts'
import { ui } from './zh-CN/ui.ts'
import { upload } from './zh-CN/upload.ts'

/** Every sentence in Simplified Chinese, by area. The command line speaks English only. */
export const zhCN = {
  account,
  credentials,
  deletion,
  errors,
  failures,
  gallery,
  http,
  image,
  invalid,
  shell,
  signIn,
  trash,
  ui,
  upload,
} as const
