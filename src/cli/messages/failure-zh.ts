/**
 * 错误的中文：出了什么事，在哪里，该怎么办。
 *
 * Told from the facts that an error carries, never from its English message. That one follows only where it knows more. Texts of
 * peers are not escaped here, and what a server said itself is never translated.
 */

import type {
  DetailOf,
  ErrorDetail,
  ErrorDetailKind,
  ProtocolDetails,
} from '../../base/error-detail.ts'
import {
  CapabilityError,
  PilotError,
  RpcError,
  SchemaError,
  type ErrorCode,
} from '../../base/errors.ts'
import { isHarmless, isOpening, isOutcomeOpen } from './failure-facts.ts'
import { FILES_ZH, USAGE_ZH } from './failure-files-zh.ts'
import { HOST_ZH } from './failure-host-zh.ts'
import { MODEL_ZH } from './failure-model-zh.ts'
import { quote, saidZh, serverOf, strayZh, subject, withoutStop } from './failure-parts-zh.ts'
import { timeoutZh } from './failure-timeout-zh.ts'
import { TRANSPORT_ZH } from './failure-transport-zh.ts'
import type { FailureTable, RecordedError, TellOptions } from './failure-words.ts'
import { issuesZh } from './issues-zh.ts'

const VERSIONS: Readonly<
  Record<DetailOf<'version'>['why'], (ours: string, theirs: string) => string>
> = {
  other: (ours, theirs) => `服务器只肯用${theirs}，而这里只支持 ${ours}。`,
  unlisted: (ours) => `服务器支持的协议版本里没有 ${ours}。请用 --revision 另选一个。`,
  'no-modern': (ours) =>
    `服务器不认识 server/discover，也就不支持 ${ours}。请允许握手：--era auto 或 legacy。`,
  'none-in-common': (ours, theirs) =>
    `与服务器没有共同的协议版本：这里支持 ${ours}，服务器支持${theirs}。`,
}

const MISFITS: Readonly<
  Record<DetailOf<'misfit'>['what'], (tool: string) => readonly [string, string]>
> = {
  arguments: (tool) => [`工具 ${tool} 的参数不对`, '没有发出。'],
  result: (tool) => [
    `工具 ${tool} 已经运行，但它的结构化结果与它声明的不符`,
    '请告知服务器的作者。',
  ],
  form: () => ['填写的内容不符合服务器给的表单', '没有发出。'],
}

const PROTOCOL_ZH: FailureTable<keyof ProtocolDetails> = {
  version: ({ why, ours, theirs = [] }) =>
    VERSIONS[why](ours.join('、'), theirs.length === 0 ? '的没有写明' : ` ${theirs.join('、')}`),
  'too-many-items': ({ items, pages }, { method }) =>
    `${subject(method, '服务器')}的列表太长：已有 ${pages} 页、${items} 项，不再往下读。请告知服务器的作者。`,
  'too-many-questions': ({ most }, { method }) =>
    `${subject(method, '这次调用')}提问超过 ${most} 次，已经放弃。服务器可能在绕圈子地问。`,
  'no-mcp': (detail, error) => NO_MCP[detail.why](detail, error),
  misfit: ({ what, tool = '' }, error) => {
    const [head, end] = MISFITS[what](tool)
    return `${head}：${error instanceof SchemaError ? issuesZh(error.issues) : ''}。${end}`
  },
}

const DETAILS: FailureTable = {
  ...TRANSPORT_ZH,
  ...HOST_ZH,
  ...MODEL_ZH,
  ...FILES_ZH,
  ...USAGE_ZH,
  ...PROTOCOL_ZH,
  told: (_detail, { message }) => message,
}

/** 标准错误码的含义；之后是服务器自己的话。 */
const RPC_CODES: ReadonlyMap<number, (method: string | undefined) => string> = new Map<
  number,
  (method: string | undefined) => string
>([
  [-32700, () => '它读不懂发去的消息'],
  [-32600, () => '它说请求不合规范'],
  [-32601, (method) => `它不认识${method === undefined ? '这个请求' : ` ${method}`}，也许太旧`],
  [-32602, (method) => `${subject(method, '这个请求')}的参数不对，请改正`],
  [
    -32603,
    (method) => `它在处理${method === undefined ? '这个请求' : ` ${method} `}时出了内部错误`,
  ],
  [-32002, () => '没有这个资源'],
])

function rpcZh(error: PilotError): string {
  const said = error.message.trim()
  const meaning = error instanceof RpcError ? RPC_CODES.get(error.rpcCode) : undefined
  if (meaning === undefined) return said === '' ? '它没有说明原因。' : said
  const told = `${meaning(error.method)}。`
  return said === '' ? told : `${told}它说：${said}`
}

const NO_MCP: Readonly<
  Record<DetailOf<'no-mcp'>['why'], (detail: DetailOf<'no-mcp'>, error: PilotError) => string>
> = {
  echo: (_detail, error) =>
    `${nameOf(error)}只是把收到的内容原样发回，并不说 MCP。请写出 MCP 服务器的程序。如果它在终端里运行（如 docker run -t、ssh -t），请去掉 -t。`,
  flood: ({ lines, output }, error) =>
    `${nameOf(error)}不停地输出不是 MCP 消息的内容（已有 ${lines} 行）${saidZh(output)}。请写出 MCP 服务器的程序。`,
  silent: ({ output }, error) => `${timeoutZh(error)}${strayZh(output)}`,
}

const nameOf = ({ server = '服务器' }: PilotError): string => quote(server)

const SIDES: ReadonlyMap<string, string> = new Map([
  ['server', '服务器没有声明功能'],
  ['client', '这里没有声明功能'],
])

/** `missing` is a side and what it did not declare, as `server tools`. */
function missingZh(error: PilotError): string {
  const [side = '', ...rest] =
    error instanceof CapabilityError && error.missing !== undefined ? error.missing.split(' ') : []
  const sent = error.method === undefined ? '' : `，因此没有发出 ${error.method}`
  const known = SIDES.get(side)
  return known === undefined ? `缺少所需的功能${sent}。` : `${known} ${rest.join(' ')}${sent}。`
}

interface CodeWords {
  readonly say: (error: PilotError) => string
  /** The English message knows more than the sentence, and follows it. */
  readonly more?: boolean
}

const transport = (what: string): CodeWords => ({
  say: (error) => `${error.server === undefined ? '' : `${serverOf(error)}：`}${what}。`,
  more: true,
})

/** For an error without the facts of its situation. */
const CODES: Readonly<Record<ErrorCode, CodeWords>> = {
  DP_RPC_ERROR: { say: rpcZh },
  DP_RPC_REFUSAL: { say: rpcZh },
  DP_PROTOCOL_MESSAGE: {
    say: ({ method }) =>
      `${method === undefined ? '发来的消息' : `对 ${method} 的应答`}不是有效的 JSON-RPC。请告知服务器的作者。`,
    more: true,
  },
  DP_PROTOCOL_RESULT: {
    say: ({ method }) => `${subject(method, '请求')}的结果不合规范，无法使用。请告知服务器的作者。`,
    more: true,
  },
  DP_PROTOCOL_VERSION: { say: () => '与服务器没有谈成协议版本。', more: true },
  DP_PROTOCOL_PAGES: {
    say: ({ method }) => `${subject(method, '服务器')}的列表太长，不再往下读。`,
    more: true,
  },
  DP_PROTOCOL_ROUNDS: {
    say: ({ method }) => `${subject(method, '这次调用')}提问太多次，已经放弃。`,
    more: true,
  },
  DP_PROTOCOL_SKILL: { say: () => '服务器给的技能不合规范。', more: true },
  DP_TRANSPORT_SPAWN: transport('无法启动'),
  DP_TRANSPORT_EXIT: transport('进程已退出'),
  DP_TRANSPORT_CLOSED: transport('连接已关闭'),
  DP_TRANSPORT_WRITE: transport('消息写不出去'),
  DP_TRANSPORT_STALLED: transport('它卡住了，不再读取'),
  DP_TRANSPORT_TOO_LARGE: transport('消息太大'),
  DP_TRANSPORT_OVERLOADED: transport('等待的请求太多，这一个没有发出'),
  DP_TRANSPORT_CONNECT: transport('连不上'),
  DP_TRANSPORT_HTTP: transport('HTTP 应答里没有消息'),
  DP_TRANSPORT_SESSION: transport('它已不认识这个会话'),
  DP_TRANSPORT_ORIGIN: transport('它指向了别处'),
  DP_TRANSPORT_UNAVAILABLE: transport('现在不接受调用'),
  DP_TIMEOUT: { say: timeoutZh },
  DP_CANCELLED: {
    say: ({ method }) => (method === undefined ? '操作已取消。' : `${method} 已取消。`),
  },
  DP_CAPABILITY_MISSING: { say: missingZh },
  DP_CAPABILITY_METHOD: {
    say: (error) => {
      const revision = error instanceof CapabilityError ? error.revision : undefined
      const what = error.method === undefined ? '这个方法' : ` ${error.method}`
      return `${revision === undefined ? '此协议版本' : `协议版本 ${revision} `}没有${what}。请用 --revision 或 --era 另选一个版本。`
    },
  },
  DP_SCHEMA_ARGUMENTS: { say: () => '参数不符合 schema。没有发出。', more: true },
  DP_SCHEMA_RESULT: { say: () => '结果不符合 schema。', more: true },
  DP_SCHEMA_DEFINITION: { say: () => 'schema 本身无法使用。', more: true },
  DP_POLICY_DENIED: { say: () => '策略或有人拒绝了它。', more: true },
  DP_POLICY_HELD: { say: () => '工具与批准时的不同。', more: true },
  DP_POLICY_ALTERED: { say: () => '参数与判断时的不同。没有发出。', more: true },
  DP_POLICY_UNAPPROVED: { say: () => '还没有人批准它。', more: true },
  DP_AUTH_REQUIRED: transport('要求表明身份'),
  DP_MODEL_KEY: { say: () => '没有可用的密钥。', more: true },
  DP_MODEL_BALANCE: { say: () => '余额不足。', more: true },
  DP_MODEL_BUSY: { say: () => '模型正忙。', more: true },
  DP_MODEL_REQUEST: { say: () => '模型不接受这个请求。', more: true },
  DP_MODEL_FAILED: { say: () => '模型出错。', more: true },
  DP_MODEL_CUT: { say: () => '回答中断。', more: true },
  DP_MODEL_UNREADABLE: { say: () => '应答读不成回答。', more: true },
  // Raised by the command line itself, in the words of the person, wherever it has no facts.
  DP_USAGE: { say: ({ message }) => message },
  DP_CONFIG: { say: ({ message }) => message },
  DP_BUG: { say: ({ message }) => message },
}

/** An error in Chinese, on one line unless a peer said more. */
export function tellZh(error: PilotError, { advice = true }: TellOptions = {}): string {
  const { detail, id, method } = error
  const { say, more = false } = CODES[error.code]
  if (detail === undefined) return more ? `${say(error)}（原文：${error.message}）` : say(error)
  const told = sentenceOf(detail, error)
  const isAway = detail.kind === 'not-reached' && advice
  const core = isAway ? `${told}请确认它在运行、地址没有写错。` : told
  // With an id it is the end of a request; without one, that of the connection itself.
  if (id === undefined || method === undefined || !(detail.kind in TRANSPORT_ZH)) return core
  // Until there is a connection, what was asked first says nothing to a person.
  if (isOpening(method)) return core
  const open = isOutcomeOpen(error) && !isHarmless(method) ? '不知道它是否已经生效。' : ''
  return `${method} 没有得到应答：${core}${ended(core) ? '' : '。'}${open}`
}

/** 以前的运行记下的错误：错误码有中文的说中文，原话引在后面。 */
export function tellRecordedZh({ code, message }: RecordedError): string {
  const known = Object.entries(CODES).find(([one]) => one === code)?.[1]
  const said = message === '' ? '' : `（原文：${message}）`
  if (known?.more !== true) return said === '' ? message : said
  return `${known.say(new PilotError('internal', 'DP_BUG', message))}${said}`
}

function sentenceOf<Kind extends ErrorDetailKind>(
  detail: ErrorDetail & DetailOf<Kind>,
  error: PilotError,
): string {
  return DETAILS[detail.kind](detail, error)
}

function ended(text: string): boolean {
  return withoutStop(text) !== text.trim() || /[？?]$/.test(text)
}
