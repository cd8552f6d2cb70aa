/** 操作系统、DNS 与 TLS 报告的错误的中文。表里没有的原样给出英文，因为它是唯一的线索。 */

import { describeError } from '../../base/errors.ts'

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', '连接被拒绝，那里没有程序在监听'],
  ['ECONNRESET', '连接被对方重置'],
  ['ECONNABORTED', '连接被中止'],
  ['EPIPE', '对方已关闭连接'],
  ['ETIMEDOUT', '连接超时'],
  ['ENOTFOUND', '找不到这个主机名'],
  ['EAI_AGAIN', '域名暂时无法解析'],
  ['EHOSTUNREACH', '主机不可达'],
  ['ENETUNREACH', '网络不可达'],
  ['EADDRINUSE', '地址已被占用'],
  ['EADDRNOTAVAIL', '本机没有这个地址'],
  ['ENOTSOCK', '那里不是套接字'],
  ['EACCES', '没有权限'],
  ['EPERM', '系统不允许'],
  ['ENOENT', '文件或目录不存在'],
  ['ENOTDIR', '路径中有一段不是目录'],
  ['EISDIR', '是一个目录'],
  ['EEXIST', '已存在'],
  ['ELOOP', '符号链接绕成了圈'],
  ['ENAMETOOLONG', '名称太长'],
  ['ENOSPC', '磁盘已满'],
  ['EDQUOT', '磁盘配额已用完'],
  ['EROFS', '文件系统只读'],
  ['EMFILE', '打开的文件太多'],
  ['ENFILE', '打开的文件太多'],
  ['ENOMEM', '内存不足'],
  ['EIO', '读写出错'],
  ['CERT_HAS_EXPIRED', '对方的证书已过期'],
  ['CERT_NOT_YET_VALID', '对方的证书尚未生效'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', '对方的证书是自签名的，不受信任'],
  ['SELF_SIGNED_CERT_IN_CHAIN', '证书链里有自签名的证书，不受信任'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', '无法核实对方的证书'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', '不认识签发对方证书的机构'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', '对方的证书不是给这个主机名的'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', '对方说的不是 TLS'],
  ['EPROTO', '无法建立 TLS 连接'],
])

/** As deep as causes are looked at. */
const DEPTH = 5

/** 错误或其原因中系统给出的说法；不认识时用 `fallback`，默认是错误自己的话。 */
export function systemReasonZh(error: unknown, fallback: string = describeError(error)): string {
  let one: unknown = error
  for (let depth = 0; depth < DEPTH && one instanceof Error; depth += 1) {
    const code: unknown = 'code' in one ? one.code : undefined
    const known = typeof code === 'string' ? REASONS.get(code) : undefined
    if (known !== undefined) return known
    // Several addresses of one name fail together; the first stands for all.
    one = one instanceof AggregateError ? one.errors[0] : one.cause
  }
  return fallback
}
