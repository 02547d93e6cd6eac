import type { clients as en } from '../en/clients.ts'
import type { Shape } from '../shape.ts'

export const clients: Shape<typeof en> = {
  copy: '复制 {name}',
  copyCommand: '复制命令',
  copyUploader: '复制自定义上传器',
  hints: {
    chevereto: '适用于通过 Chevereto 4 API 上传的程序。',
    cli: '适用于脚本：用此令牌上传，并输出图片网址。在自己的电脑上，可以用“sluice login”另外创建一个令牌。',
    curl: '输出图片网址或错误信息。去掉第二个请求头，响应即为 JSON。',
    flameshot: '把这条命令设为快捷键，会复制图片网址或错误信息。使用 Wayland 时，把最后一条命令换成 wl-copy。',
    lsky: '适用于上传到兰空图床（Lsky Pro 2）的程序，例如 PicGo 和 Obsidian 的插件。版本选择 2。',
    picGo: '安装 web-uploader 插件，然后把它选为图床。',
    picList: '图床选择“高级自定义”，其余各项留空。',
    shareX: '打开下载的文件，在 ShareX 中确认即可。也可以复制文本，在“目标 → 自定义上传器设置”中从剪贴板导入。',
    typora:
      '在“偏好设置 → 图像”中，上传服务选择“自定义命令”（Custom Command）。如果已安装 Sluice 命令行，也可以用“sluice upload”，Windows 同样适用。',
    uPic: '添加一个“自定义”类型的图床，两个请求头都填在“其他字段”中。',
  },
  needsToken: '创建令牌后才能下载此文件。',
  program: '程序',
  settings: '上传工具配置',
}
