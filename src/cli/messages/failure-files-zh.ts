/** 文件和写法上的错误的中文：配置、锁文件、录制、会话，以及不能成立的写法。每种情形一句。 */

import type { DetailOf, FileDetails, FolderFault, UsageDetails } from '../../base/error-detail.ts'
import { ConfigError, type PilotError } from '../../base/errors.ts'
import { fileFaultZh } from './file-faults-zh.ts'
import { modelWordsZh } from './failure-model-zh.ts'
import { because, quote } from './failure-parts-zh.ts'
import type { FailureTable } from './failure-words.ts'

function fileOf(error: PilotError, otherwise = '文件'): string {
  const { file, line, column } =
    error instanceof ConfigError ? error : { file: undefined, line: undefined, column: undefined }
  const at =
    line === undefined ? '' : `第 ${line} 行${column === undefined ? '' : `第 ${column} 列`}`
  return `${file === undefined ? otherwise : quote(file)}${at}`
}

function grantsFault(cause: unknown): string {
  const detail = cause instanceof ConfigError ? cause.detail : undefined
  if (detail?.kind === 'file-unusable') return `：${fileFaultZh(detail, cause)}`
  return cause instanceof SyntaxError ? '：它不是有效的 JSON' : ''
}

const LOCKS: Readonly<Record<DetailOf<'lock-unusable'>['why'], (server: string) => string>> = {
  'no-json': () => '不是有效的 JSON',
  'no-servers': () => '没有 "version": 1 和 "servers"',
  'bad-server': (server) => `服务器${quote(server)}没有 "launch" 和 "tools"`,
  'bad-pin': (server) => `服务器${quote(server)}有一项批准没有哈希或定义`,
}

const UNMADE: Readonly<
  Record<FolderFault, (detail: DetailOf<'folder-unmade'>, error: PilotError) => string>
> = {
  'no-folder': ({ at }) => `${quote(at)}不是目录`,
  forbidden: ({ at }) => `${quote(at)}的权限不允许`,
  'read-only': ({ at }) => `${quote(at)}所在的文件系统只读`,
  'too-deep': ({ limit }) => `它上面缺少的目录超过 ${limit} 层`,
  system: ({ at, reason }, error) => `${quote(at)}里不能创建目录${because(error, reason)}`,
}

const EDITS: Readonly<Record<DetailOf<'entry-edit'>['why'], string>> = {
  there: '已经存在。请用 --replace 覆盖它，或换一个名称。',
  missing: '不存在。请检查名称。',
  unchangeable: '的写法无法在这里改动。请用编辑器修改。',
}

const NO_RECORDING: Readonly<Record<DetailOf<'capture-unwritable'>['why'], string>> = {
  there: '文件已存在。请换一个路径，或用 --existing replace 或 append',
  link: '那是指向别的文件的链接。请直接写那个文件',
  odd: '那不是普通文件。请换一个路径',
  'no-folder': '它所在的目录不存在。请先创建目录',
  system: '写不进去',
}

const NO_READING: Readonly<
  Record<Exclude<DetailOf<'capture-unreadable'>['why'], 'system'>, string>
> = {
  missing: '它不存在。请检查路径',
  folder: '它是目录。请写出其中的文件',
  forbidden: '没有读取它的权限。请修改权限',
  empty: '它是空的。请写出用 --capture 录下的文件',
  'no-capture': '它不是录制文件。请写出用 --capture 录下的文件',
}

const NO_APPEND: Readonly<Record<DetailOf<'capture-no-append'>['why'], string>> = {
  'no-record': '末尾附近没有完整的记录。请录到新文件。',
  'no-capture': '它不是录制文件。请换一个文件。',
  version: '它的格式版本不同。请录到新文件。',
  redaction: '它的遮盖设置与现在的不同。请录到新文件。',
}

export const FILES_ZH: FailureTable<keyof FileDetails> = {
  'file-unusable': ({ kind: _kind, ...facts }, error) =>
    `${fileOf(error)}无法使用：${fileFaultZh(facts, error.cause)}。`,
  'file-unwritable': ({ reason }, error) =>
    `${fileOf(error)}写不进去${because(error, reason)}。请检查所在目录的权限。`,
  'folder-unmade': (detail, error) =>
    `无法创建目录${fileOf(error, '')}：${UNMADE[detail.why](detail, error)}。请改正，或换一个位置；本程序的数据放在哪里，由 DEEP_PILOT_HOME 指定。`,
  'grants-unusable': (_detail, error) =>
    `${fileOf(error)}里的同意无法读取，因此一个也不算数${grantsFault(error.cause)}。请把它移走，才能记下新的。`,
  'entry-edit': ({ server, why }, error) =>
    `${fileOf(error)}中的服务器${quote(server)}${EDITS[why]}`,
  'lock-unusable': ({ why, server = '' }, error) =>
    `锁文件${fileOf(error, '')}无法读取：${LOCKS[why](server)}。请从完好的地方取回它，或把它移走再重新批准。`,
  'capture-unreadable': ({ path, why, reason }, error) =>
    `无法读取录制文件${quote(path)}${why === 'system' ? because(error, reason) : `：${NO_READING[why]}`}。`,
  'capture-unwritable': ({ path, why, reason }, error) =>
    `无法录到${quote(path)}：${NO_RECORDING[why]}${why === 'system' ? because(error, reason) : ''}。`,
  'capture-no-append': ({ path, why }) => `无法接着录到${quote(path)}：${NO_APPEND[why]}`,
  'session-file': ({ path, why, limit }) =>
    why === 'too-large'
      ? `会话文件${quote(path)}超过上限 ${limit} 字节。请开始新的会话。`
      : `${quote(path)}不是${why === 'no-file' ? '文件' : '目录'}，会话无法保存在那里。请把它移走。`,
}

const SCHEMES: Readonly<Record<DetailOf<'bad-address'>['what'], readonly [string, string]>> = {
  server: ['服务器的地址', '请写完整的 http:// 或 https:// 地址，如 https://example.com/mcp。'],
  websocket: ['WebSocket 的地址', '它以 ws:// 或 wss:// 开头，如 wss://example.com/mcp。'],
  weather: ['天气服务的地址', '请写 http:// 或 https:// 地址，不带用户名和密码。'],
  proxy: ['代理的地址', '请写成 http://host:port。'],
}

const HEADERS: Readonly<Record<DetailOf<'bad-header'>['why'], (header: string) => string>> = {
  name: (header) => `${header}不能作为请求头的名称。`,
  ours: (header) => `请求头${header}由传输自己设置。请删除。`,
  value: (header) => `请求头${header}的值里有请求头不能容纳的字符。请删除。`,
}

export const USAGE_ZH: FailureTable<keyof UsageDetails> = {
  'model-no-place': ({ provider, variable }) =>
    `${quote(provider)}没有固定的地址：请用 --base-url 或变量 ${variable} 给出。`,
  'model-unknown': ({ words, providers }) => modelWordsZh(words, providers),
  'model-unnamed': ({ provider }) =>
    `${quote(provider)}是提供方，不是模型：请写 ${provider}:NAME，NAME 为模型的名称。`,
  'model-plain-http': ({ host }) =>
    `模型的地址是到 ${host} 的明文 http:，途中任何人都能读到和改动全部内容。请用 https:，或用 --insecure-http 允许它。`,
  'model-bad-url': ({ why }) =>
    why === 'no-url'
      ? '模型的地址不是 http: 或 https: 的 URL。请写完整，如 http://127.0.0.1:8000/v1。'
      : '模型的地址里有用户名或密码。请从地址中去掉，用变量给出密钥。',
  'model-bad-context': ({ variable, value }) =>
    `${variable} 不能是${quote(value)}。请写模型窗口的 token 数，为整数，如 32768。`,
  'model-unpriced': ({ model }) =>
    `不知道 ${model} 的价格，因此守不住美元上限。请写下它的价格，或改用 token 上限。`,
  'bad-address': ({ what, scheme }) => {
    const [name, advice] = SCHEMES[what]
    return scheme === undefined
      ? `${name}不是可用的 URL。${advice}`
      : `${name}以${quote(scheme)}开头，这里不支持。${advice}`
  },
  'short-token': ({ characters, least }) =>
    `令牌只有 ${characters} 个字符，容易猜中。请随机生成至少 ${least} 个字符。`,
  'bad-host': ({ host }) =>
    `${quote(host)}不是主机名。请写成 mcp.example.com 或 mcp.example.com:8080。`,
  'bad-header': ({ header, why }) => HEADERS[why](quote(header)),
  'bad-socket-path': ({ limit }) =>
    limit === undefined
      ? '套接字的路径不能为空，也不能含有零字节。'
      : `套接字的路径最多 ${limit} 字节，这一个太长。请换一个短些的目录。`,
  'era-without-revision': ({ era, revisions }) =>
    `协议版本 ${revisions.join('、')} 不属于 --era ${era}。请去掉其中一个。`,
}
