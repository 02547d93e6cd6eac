import type { profile as en } from '../en/profile.ts'
import type { Shape } from '../shape.ts'

export const profile: Shape<typeof en> = {
  choosePicture: '选择图片',
  lead: '别人在你的图片旁看到的内容。',
  name: '显示名称',
  nameHint: '显示在你的图片旁；留空则不显示。只有管理员能看到你的用户名。',
  nameNotSaved: '未能更改显示名称。',
  nameRemoved: '已移除显示名称。',
  nameSaved: '显示名称已更改。',
  pictureHint: 'JPEG、PNG、GIF、WebP 或 AVIF，不超过 10 MiB。裁取中间的正方形，并移除元数据。',
  pictureRemoved: '头像已移除。',
  pictureSaved: '头像已更换。',
  removePicture: '移除',
  saveName: '保存名称',
  shared: '此账号由多人共用，没有自己的显示名称和头像。',
  title: '个人资料',
  undo: '撤销',
}
