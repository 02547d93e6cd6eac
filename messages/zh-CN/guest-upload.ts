import type { guestUpload as en } from '../en/guest-upload.ts'
import type { Shape } from '../shape.ts'

export const guestUpload: Shape<typeof en> = {
  title: '上传',
  titleOn: '上传到{site}',
  lead: '无需账号。图片在 {days, number} 天后删除，也可以用删除链接提前删除。',
  leadApproval: '管理员批准后，其他人才能看到图片。',
  off: '本站不允许访客上传',
  offText: '登录后即可上传图片。',
  choose: '图片',
  hint: '支持 JPEG、PNG、GIF、WebP、AVIF 和 HEIC，每个不超过 {size}。也可以拖放或粘贴图片。',
  upload: '上传',
  yours: '你的图片',
  keep: '现在就保存这些链接，之后不再显示。',
  waiting: '等待中',
  progress: '正在上传 {name}',
  checking: '正在检查图片',
  again: '重试',
  awaits: '图片等待批准，管理员批准后链接才有效。',
  link: '链接',
  deletion: '删除链接',
  copy: '复制：{label}',
  until: '将于 <date></date> 删除。',
}
