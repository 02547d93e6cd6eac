import type { shared as en } from '../en/shared.ts'
import type { Shape } from '../shape.ts'

export const shared: Shape<typeof en> = {
  title: '分享的图片',
  images: '{count, number} 张图片',
  list: '图片',
  closed: '打开分享的图片',
  passwordText: '这些图片受密码保护。',
  viewsText:
    '{count, plural, =1 {此链接还能打开 1 次，现在打开就会用完。} other {此链接还能打开 # 次，现在打开会用掉 1 次。}}',
  visitText: '打开后可以看半小时。',
  password: '密码',
  passwordMissing: '输入密码。',
  open: '打开',
  empty: '这里已经没有图片了。',
  downloadOriginal: '下载原图',
  downloadAll: '下载全部原图',
  downloadPart: '下载第 {part, number} 部分，共 {parts, number} 部分',
  downloads: '下载',
  pages: '分页',
  previousPage: '前面的图片',
  nextPage: '更多图片',
  back: '全部图片',
  previous: '上一张',
  next: '下一张',
  place: '第 {at, number} 张，共 {count, number} 张',
  untitled: '第 {at, number} 张图片，共 {count, number} 张',
  openLarge: '单独打开图片',
  notLoaded: '这张图片未能加载。',
  tryAgain: '重试',
}
