/** 文件整个无法读取的原因的中文，每种一句，不带句号。 */

import type { FileFault } from '../../base/error-detail.ts'
import type { FileFaultFacts } from '../../config/file-faults.ts'
import type { ProblemValues } from '../../config/problem-words.ts'
import { systemReasonZh } from './system-reasons-zh.ts'

const WORDS: Readonly<Record<FileFault, (facts: FileFaultFacts, cause: unknown) => string>> = {
  missing: () => '它不存在。请检查路径',
  forbidden: () => '没有读取它的权限。请修改权限',
  'no-file': () => '它不是文件',
  'too-large': ({ limit }) => `它超过 ${limit} 字节。请拆分`,
  'no-utf8': () => '它不是 UTF-8 文本。请以 UTF-8 保存',
  'too-many-values': ({ limit }) => `它的值超过 ${limit} 个。请拆分`,
  'too-deep': ({ limit }) => `它嵌套超过 ${limit} 层。请减少嵌套`,
  'too-odd': () => '它嵌套太深或写法太怪，无法读取',
  'no-object': ({ reason }) => `最外层必须是对象，如 {"mcpServers": {…}}，现在是${kindZh(reason)}`,
  system: ({ reason }, cause) => systemReasonZh(cause, reason),
  'no-json': () => '它不是 JSON',
  'no-yaml': () => '它不是 YAML',
  'no-toml': ({ reason }) => `它不是有效的 TOML（${reason}）`,
  'bad-word': () => '这里的词不是值；文本要放在双引号里',
  'bad-number': () => '这里的数写坏了',
  'needs-name': () => '这里应当是双引号里的名称',
  'needs-value': () => '这里应当有一个值',
  'needs-colon': () => '这里应当有 ":"',
  'needs-comma': () => '这里应当有 ","',
  'needs-brace': () => '缺少 "}"，有内容没有收尾',
  'needs-bracket': () => '缺少 "]"，有内容没有收尾',
  'more-behind': () => '结尾之后还有内容',
  'open-comment': () => '有注释没有收尾',
  'open-text': () => '有文本没有收尾',
  'bad-unicode': () => '文本里的 \\u 转义写坏了',
  'bad-escape': () => '文本里的反斜杠不成转义；请写两个，如 "C:\\\\dir"',
  'control-character': () => '文本里有控制字符；换行请写 \\n',
  'alias-properties': () => '这里的别名带有属性',
  'alias-unknown': () => '这里的别名没有指向任何内容',
  'bad-indent': () => '这里的缩进不对',
  'bad-yaml-escape': () => '文本里的反斜杠不成转义；请用单引号，或写两个',
  'long-key': () => '这里的键跨了几行；也许少了引号或空格',
  'block-inside': () => '括号里有块写法',
  'not-closed': () => '这里有内容没有收尾，或少了空格、逗号',
  'several-documents': () => '它含有几个文档；请只留一个',
  'much-too-deep': () => '它嵌套太深，无法读取',
  'tab-indent': () => '应当是空格的地方用了制表符',
  unexpected: () => '这里有不该出现的内容',
}

export function fileFaultZh(facts: FileFaultFacts, cause?: unknown): string {
  return WORDS[facts.why](facts, cause)
}

/** The same from the values of a problem, which hold the name of the fault where it is known. */
export function faultOfValuesZh({ fault, limit, found, reason }: ProblemValues): string {
  const why = Object.keys(WORDS).find((one): one is FileFault => one === fault)
  if (why === undefined) return String(reason)
  return fileFaultZh({
    why,
    ...(typeof limit === 'number' && { limit }),
    ...(found !== undefined && { reason: String(found) }),
  })
}

/** The words that problems have for what a value is and should be; those that stand in the file themselves stay. */
const KINDS: ReadonlyMap<unknown, string> = new Map([
  ['an object', '对象'],
  ['a list', '列表'],
  ['a text', '文本'],
  ['an empty text', '空文本'],
  ['a number', '数'],
  ['true or false', ' true 或 false'],
  ['a date', '日期'],
  ['a list of texts', '文本的列表'],
  ['a text or a list of texts', '文本或文本的列表'],
  ['an object of texts', '值为文本的对象'],
  ['an object of lists', '值为列表的对象'],
  ['an object of names of variables', '值为变量名称的对象'],
])

export function kindZh(words: unknown): string {
  return KINDS.get(words) ?? ` ${String(words)}`
}
