import type { credentials as en } from '../en/credentials.ts'
import type { Shape } from '../shape.ts'

export const credentials: Shape<typeof en> = {
  createAccount: '创建账号',
  createOwner: '创建站长账号',
  forgotPassword: '忘记密码？',
  inviteOnly: '注册需要邀请。',
  password: '密码',
  passwordHint: '至少 10 个字符。几个不相干的词连在一起，好记又难猜。',
  passwordShort: '至少需要 10 个字符。',
  passwordsDiffer: '两次输入的密码不一致。',
  repeatPassword: '再次输入密码',
  publicGallery: '浏览公开图库',
  setupCode: '设置码',
  setupCodeHint: '服务器启动时会写入日志。',
  setupCodeMissing: '输入服务器日志中的设置码。',
  setPassword: '设置密码并登录',
  signIn: '登录',
  signInInstead: '已有账号？<link>登录</link>',
  signingIn: '正在登录…',
  uploadAsGuest: '不登录直接上传',
  username: '用户名',
  usernameHint: '3 到 32 个字母、数字、点、短横线或下划线。',
  usernameInvalid: '用 3 到 32 个字母、数字、点、短横线或下划线，以字母或数字开头。',
}
