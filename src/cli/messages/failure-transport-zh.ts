/** 连接出错的中文：启动不了、连不上、断开、HTTP 状态。每种情形一句。 */

import type { DetailOf, SpawnWhy, StatusHint, TransportDetails } from '../../base/error-detail.ts'
import { TimeoutError, TransportError, type PilotError } from '../../base/errors.ts'
import { because, lastWordsZh, quote, serverOf, strayZh, withoutStop } from './failure-parts-zh.ts'
import type { FailureTable } from './failure-words.ts'

const SPAWN: Readonly<Record<SpawnWhy, (detail: DetailOf<'spawn'>) => string>> = {
  'no-folder': ({ folder = '' }) => `工作目录${quote(folder)}不存在。请创建它，或改正 cwd。`,
  'no-command': ({ command }) => `没有命令${quote(command)}。请安装它，或写出完整路径。`,
  'not-executable': ({ command }) =>
    `${quote(command)}不可执行。请对它运行 chmod +x，或把解释器写成命令。`,
  'open-files': () => '打开的文件太多。请关闭一些连接，或提高上限（ulimit -n）。',
  'no-room': () => '系统容不下更多进程。请结束一些，或提高上限（ulimit -u）。',
  'too-long': () => '参数和环境变量太长。请缩短。',
  'no-program': ({ command }) => `${quote(command)}不是本系统的程序。请把解释器写成命令。`,
  unsafe: ({ command }) =>
    `${quote(command)}无法安全地启动。请把它背后的程序写成命令，如 node，脚本作为第一个参数。`,
  system: ({ reason = '' }) => `${withoutStop(reason)}。请检查命令、参数和环境变量。`,
}

const HINTS: Readonly<Record<StatusHint, (detail: DetailOf<'http-status'>) => string>> = {
  endpoint: () => '这是 MCP 端点的地址吗？',
  target: () => '请改用它指向的地址。',
  size: () => '请一次少发一些。',
  proxy: () => '请给出代理的用户名和密码。',
  later: ({ seconds = 0 }) => `请在 ${seconds} 秒后重试。`,
  token: () => '请登录，或在请求头里给出有效的令牌。',
  rights: () => '请申请所缺的权限。',
}

const PLAIN_STATUS = (status: number): string =>
  status >= 500 ? '服务器自己出了错，请稍后重试。' : ''

function statusZh(detail: DetailOf<'http-status'>): string {
  const { address, status, phrase, said, hint, oldWay } = detail
  const number = phrase === undefined ? String(status) : `${status} ${phrase}`
  // A server of a configuration goes by its name.
  const place = address.includes('://') ? `${address} ` : `服务器${quote(address)}`
  const how =
    hint === 'token'
      ? `${place}要求表明身份（${number}）`
      : hint === 'rights'
        ? `${place}拒绝了这个请求（${number}）`
        : `${place}应答 ${number}`
  const told = said === undefined ? '' : `：${withoutStop(said)}`
  const advice = hint === undefined ? PLAIN_STATUS(status) : HINTS[hint](detail)
  return `${how}${told}。${advice}${oldWay === true ? '旧式传输（HTTP+SSE）也没有连上。' : ''}`
}

function notReached(detail: DetailOf<'not-reached'>, error: PilotError): string {
  const { address, proxy, reason, ms, proxyStatus } = detail
  const place = proxy === undefined ? address : `${address}（经代理 ${proxy}）`
  if (ms !== undefined) return `${ms} 毫秒内没有连上 ${place}。`
  if (proxyStatus !== undefined) return `连不上 ${place}：代理应答 ${proxyStatus}。`
  return `连不上 ${place}${because(error, reason)}。`
}

const REDIRECTS: Readonly<
  Record<DetailOf<'redirect'>['why'], (from: string, to: string) => string>
> = {
  away: (from, to) => `${from} 要转到别处：${to}。如果那才是对的服务器，请直接写它的地址。`,
  nowhere: (from) => `${from} 要转到别处，却没有给出可用的地址。`,
  method: (from, to) => `${from} 要转到 ${to}，并且会把 POST 变成 GET。请直接写那个地址。`,
  circles: (from, to) => `${from} 要转到 ${to}，已经转得太多：服务器让客户端绕圈子。`,
  hidden: (from) => `${from} 要转到别处，而浏览器不透露去处。请直接写那个地址。`,
}

function exitZh(error: PilotError): string {
  const { exitCode, signal } =
    error instanceof TransportError ? error : { exitCode: undefined, signal: undefined }
  if (signal !== undefined) return `被信号 ${signal} 结束`
  return exitCode === undefined ? '已退出' : `已退出，退出码 ${exitCode}`
}

export const TRANSPORT_ZH: FailureTable<keyof TransportDetails> = {
  spawn: (detail, error) => `无法启动${serverOf(error)}：${SPAWN[detail.why](detail)}`,
  'own-process': ({ how }) =>
    `本程序自己的一个进程没有启动（${how}）。请加 --log-level debug 再运行一次。`,
  exited: ({ output }, error) =>
    `${serverOf(error)}${exitZh(error)}。${lastWordsZh(error)}${output === undefined ? '' : strayZh(output)}`,
  'output-closed': (_detail, error) =>
    `${serverOf(error)}关闭了输出，却仍在运行。请看它的 stderr，或重新连接。`,
  'input-closed': (_detail, error) =>
    `${serverOf(error)}不再读取输入。请看它的 stderr，或重新连接。`,
  stalled: ({ ms }, error) =>
    `${serverOf(error)}有 ${ms} 毫秒什么都没有读，消息却在排队：它卡住了。请重新连接。`,
  'no-pong': ({ ms }, error) => `${serverOf(error)}在 ${ms} 毫秒内没有应答 ping。请重新连接。`,
  lost: ({ reason }, error) =>
    `与${serverOf(error)}的连接断了${because(error, reason)}。请重新连接。`,
  closed: (_detail, error) => `与${serverOf(error)}的连接已关闭。`,
  'given-up': () => '不再等待连接建立。',
  'lost-often': ({ tries }, error) =>
    `与${serverOf(error)}的连接接连断了 ${tries} 次。请先查明它为什么断开，再重新连接。`,
  'websocket-closed': ({ code, said }, error) =>
    `${serverOf(error)}关闭了连接（代码 ${code}${said === '' ? '' : `，${quote(said)}`}）。请重新连接。`,
  'message-too-large': ({ limit }, error) =>
    `${serverOf(error)}发来的一条消息超过 ${limit} 字节，连接因此结束。请少要一些内容。`,
  'sent-too-large': (_detail, error) =>
    `${serverOf(error)}嫌消息太长，关闭了连接。请一次少发一些。`,
  'answer-too-large': ({ bytes, limit }) =>
    bytes === undefined
      ? `应答超过上限 ${limit} 字节。请少要一些内容。`
      : `应答有 ${bytes} 字节，超过上限。请少要一些内容。`,
  'too-many-waiting': ({ waiting, running }, error) =>
    running === undefined
      ? `已有 ${waiting} 个请求在等${serverOf(error)}，这一个没有发出。请等其中一些完成。`
      : `已有 ${waiting} 个调用在等${serverOf(error)}，另有 ${running} 个在运行，这一个没有发出。请等一等，或在配置里调大它的 "queue" 或 "concurrency"。`,
  backlog: ({ messages, bytes }, error) =>
    `${serverOf(error)}收不下更多：已有 ${messages} 条消息（${bytes} 字节）等着发出。请等应答。`,
  'not-reached': notReached,
  'cannot-listen': ({ address, reason }, error) =>
    `无法在 ${address} 上监听${because(error, reason)}。请换一个地址，或看看那里有什么。`,
  'broke-off': ({ address, reason }, error) =>
    `${address} 的应答中途断了${because(error, reason)}。`,
  'no-answer': ({ address, reason }, error) =>
    `${address} 没有给出能读的应答${because(error, reason)}。`,
  'stream-lost': ({ address, tries }) =>
    `${address} 的事件流断了，试了 ${tries} 次也没有接上。请重新连接。`,
  'http-status': statusZh,
  'session-gone': ({ address }) => `${address} 已不认识这个会话（404）。请重新连接。`,
  redirect: ({ why, from, to = '' }) => REDIRECTS[why](from, to),
  encoding: ({ address, encoding }) =>
    `${address} 的应答用了没有要求的编码${quote(encoding)}。请告知它的作者。`,
  'no-post-address': ({ address }, error) =>
    error instanceof TimeoutError
      ? `${address} 在 ${error.ms} 毫秒内没有说明消息该发往哪里。它是 MCP 端点吗？`
      : `${address} 没有说明消息该发往哪里，事件流就结束了。它是 MCP 端点吗？`,
  'not-accepted': ({ address }, error) =>
    `${address} 没有收下一条消息${error instanceof TimeoutError ? `，等了 ${error.ms} 毫秒` : ''}。`,
  'bad-request': ({ reason }, error) => `这个请求无法构成${because(error, reason)}。`,
}
