/** 语言模型没有回答时的中文：密钥、余额、繁忙、请求不被接受、回答中断。每种情形一句。 */

import type { DetailOf, ModelDetails, NoReply, NoReplyWhy } from '../../base/error-detail.ts'
import { ModelError, TimeoutError, type PilotError } from '../../base/errors.ts'
import { quote, withoutStop } from './failure-parts-zh.ts'
import type { FailureTable } from './failure-words.ts'

/** Of what a provider said, so much is shown. */
const EXCERPT = 300

const providerOf = (error: PilotError): string =>
  error instanceof ModelError ? error.provider : '模型'

/** What the status of a refusal means, and what to do about it. */
function meaningOf(
  { meant, tooLong, key }: DetailOf<'model-refusal'>,
  error: PilotError,
): { readonly what: string; readonly advice: string } {
  const { kind, retryAfterMs } =
    error instanceof ModelError ? error : { kind: undefined, retryAfterMs: undefined }
  switch (error.code) {
    case 'DP_MODEL_KEY':
      return meant === 401
        ? { what: key?.sent === false ? '要密钥' : '不接受密钥', advice: keyAdvice(key) }
        : { what: '拒绝了请求', advice: '请申请密钥所缺的权限，或换一个模型。' }
    case 'DP_MODEL_BALANCE':
      return { what: '说余额不足', advice: '请给账户充值；重试没有用。' }
    case 'DP_MODEL_BUSY': {
      const wait =
        retryAfterMs === undefined
          ? '请稍后再试'
          : `它要求等 ${Math.ceil(retryAfterMs / 1000)} 秒，请到时再试`
      return { what: '说请求太多或太忙', advice: `${wait}，或减少同时的请求。` }
    }
    case 'DP_MODEL_REQUEST':
      if (meant === 404 || kind === 'model_not_found')
        return {
          what: '说没有这个模型或地址',
          advice: '请检查模型的名称和服务地址（--base-url）。',
        }
      if (meant === 413 || tooLong) return { what: '说对话太长', advice: '请缩短对话。' }
      return { what: '不接受这个请求', advice: '原因见它的话。' }
    default:
      return meant >= 300 && meant < 400
        ? {
            what: '要转到别处',
            advice: '这里不跟随转向：请把它指向的地址写成服务地址（--base-url）。',
          }
        : { what: '出错了', advice: '请稍后再试。' }
  }
}

function keyAdvice(key: DetailOf<'model-refusal'>['key']): string {
  if (key === undefined) return '请检查密钥。'
  return key.sent
    ? `请检查变量 ${key.variable} 里的密钥。`
    : `请求里没有密钥：请把它写入变量 ${key.variable}。`
}

function refusalZh(detail: DetailOf<'model-refusal'>, error: PilotError): string {
  const {
    status,
    kind,
    said = '',
  } = error instanceof ModelError ? error : { status: undefined, kind: undefined, said: '' }
  const { what, advice } = meaningOf(detail, error)
  const named = detail.inside ? kind : status
  const mark = named === undefined || named === '' ? '' : `（${named}）`
  const words = withoutStop(said.slice(0, EXCERPT))
  const told = words === '' ? '' : `：${words}`
  const broke = detail.inside ? '中断了回答，' : ''
  return `${detail.key?.address ?? providerOf(error)} ${broke}${what}${mark}${told}。${advice}`
}

const SILENT: Readonly<
  Record<DetailOf<'model-silent'>['why'], (provider: string, ms: number) => string>
> = {
  'no-byte': (provider, ms) => `${provider} 在 ${ms} 毫秒内没有应答。请重试，或换一个模型。`,
  stopped: (provider, ms) => `${provider} 的回答停住了：${ms} 毫秒没有新内容。请重试。`,
  'too-slow': (provider, ms) => `${provider} 的回答在 ${ms} 毫秒内没有写完。请一次少要一些。`,
}

const NO_REPLY: Readonly<Record<NoReplyWhy, (facts: NoReply) => string>> = {
  'too-large': ({ limit }) => `它超过 ${limit} 字节`,
  'too-many-blocks': ({ limit }) => `它超过 ${limit} 段`,
  'too-many-items': ({ limit }) => `它超过 ${limit} 项`,
  'no-utf8': () => '它不是 UTF-8',
  'no-json': ({ contentType }) =>
    `它不是 JSON 对象${contentType === undefined ? '' : `（${contentType === '' ? '没有写明类型' : `类型 ${contentType}`}）`}`,
  'no-choices': () => '里面没有 choices',
  'no-message': () => '它不是 message',
  'no-response': () => '它不是 response',
  'event-too-large': () => '有一个事件太大',
  'event-no-json': () => '有一个事件不是 JSON 对象',
  'line-no-utf8': () => '有一行不是 UTF-8 文本',
  'stray-piece': () => '有一段内容没有开头',
  odd: () => '它使读取出错',
}

export const MODEL_ZH: FailureTable<keyof ModelDetails> = {
  'model-bad-key': (_detail, error) =>
    `${providerOf(error)} 的密钥里有空白或 ASCII 以外的字符。请重新复制，前后不要带别的内容。`,
  'model-no-key': ({ variables }, error) =>
    `没有 ${providerOf(error)} 的密钥。请设置变量 ${variables.join(' 或 ')}。`,
  'model-refusal': refusalZh,
  'model-too-large': ({ limit }, error) =>
    `${providerOf(error)} 的应答超过上限 ${limit} 字节。请一次少要一些。`,
  'model-too-much': (_detail, error) =>
    `${providerOf(error)} 的回答里调用太多或参数太长，因此放弃。请一次少要一些。`,
  'model-no-reply': (detail, error) =>
    `${providerOf(error)} 的应答读不成回答：${NO_REPLY[detail.why](detail)}。请检查服务地址（--base-url），以及它用的是哪种 API。`,
  'model-no-list': (_detail, error) =>
    `${providerOf(error)} 的应答不是模型列表。请检查服务地址（--base-url）。`,
  'model-cut': ({ kept }, error) =>
    `${providerOf(error)} 的回答没有写完就断了。${kept ? '已说的部分保留，请再问一次。' : '请再问一次。'}`,
  'model-leaked': (_detail, error) =>
    `${providerOf(error)} 把工具调用写成了文字，再请求一次仍是这样，没有执行任何调用。请再问一次，或换一个模型。`,
  'model-silent': ({ provider, why }, error) =>
    SILENT[why](provider, error instanceof TimeoutError ? error.ms : 0),
}

/** Words of a model on the command line, and in the variables. */
export const modelWordsZh = (words: string, providers: readonly string[]): string =>
  `${quote(words)}不是模型。请写 ${providers.join('、')} 之一，加冒号和模型名称，如 openai:NAME；只写 deepseek 也可以；或用 --base-url 给出服务的地址。`
