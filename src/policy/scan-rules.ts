/**
 * What makes a text of a definition odd, rule by rule. Patterns are our own and linear: at most two gaps, each bounded. They find
 * what is careless or well known and nothing that is clever; a text without a finding is not thereby harmless.
 */

import { hidesText } from '../base/terminal-text.ts'

/** Stable words for what was found. */
export type ScanKind =
  | 'hidden-text'
  | 'out-of-sight'
  | 'mixed-scripts'
  | 'instruction'
  | 'secrecy'
  | 'secret-place'
  | 'asks-for-context'
  | 'encoded'
  | 'remote-image'
  | 'other-tool'
  | 'same-name'
  | 'very-long'
  | 'not-scanned'

/** What a finding means, as the middle of a sentence: `its description …`. */
export const SCAN_WORDS: Readonly<Record<ScanKind, string>> = {
  'hidden-text': 'has characters that are not seen',
  'out-of-sight': 'pushes a part of itself out of sight with blanks',
  'mixed-scripts': 'mixes letters of several scripts in one word',
  instruction: 'tells the model what to do beyond this tool',
  secrecy: 'asks to keep something from the user',
  'secret-place': 'names a place where secrets are kept',
  'asks-for-context': 'asks for the conversation or the instructions of the model',
  encoded: 'holds a long encoded text that nobody can read',
  'remote-image': 'holds an image or link that would be loaded from elsewhere',
  'other-tool': 'names a tool of another server',
  'same-name': 'is the name, or looks like the name, of a tool that is there already',
  'very-long': 'is very long',
  'not-scanned': 'is too large to be looked through whole',
}

export interface TextRule {
  readonly kind: ScanKind
  /** On the text as it came. */
  readonly raw?: (text: string) => string | undefined
  /** On the text in lower case, what hides taken out, blanks joined. */
  readonly pattern?: RegExp
}

/** Longest text that is no matter for a remark, in UTF-16 units. */
export const LONG_TEXT = 4_096

/** In the order in which findings matter. */
export const TEXT_RULES: readonly TextRule[] = [
  { kind: 'hidden-text', raw: hidden },
  { kind: 'mixed-scripts', raw: mixedWord },
  { kind: 'out-of-sight', raw: (text) => /(?:\n[ \t]*){15}|[ \t]{150}/.exec(text)?.[0] },
  {
    kind: 'secrecy',
    pattern:
      /\b(?:do not|don't|never|without|avoid)\b.{0,25}\b(?:tell|mention|inform|notify|reveal|show|alert|disclos|ask|warn)(?:ing|e)?\b.{0,30}\b(?:user|human|person|anyone|them)s?\b/,
  },
  {
    kind: 'secrecy',
    pattern:
      /\b(?:secretly|covertly)\b|\bhidden from the (?:user|human)\b|\b(?:user|human)s? (?:must|should|need|does|do)(?:es)? ?n[o']t (?:need to )?(?:know|see|notice)\b/,
  },
  {
    kind: 'secrecy',
    pattern: /(?:不要|不得|别|勿)(?:向|让|对)?.{0,8}(?:告诉|告知|提及|透露|知道).{0,8}/,
  },
  {
    kind: 'instruction',
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|guideline|polic|restriction|direction)(?:s|y|ies)?\b/,
  },
  {
    kind: 'instruction',
    pattern:
      /<\/?(?:important|system|instructions?|secret|admin|assistant|user|hidden|critical|override)\b[^>]{0,80}>|\[\/?(?:system|inst|important)\]/,
  },
  {
    kind: 'instruction',
    pattern:
      /\b(?:before|prior to|whenever|every time)\b.{0,20}\b(?:us|call|runn|invok)(?:e|ing)\b.{0,40}\btools?\b/,
  },
  {
    kind: 'instruction',
    pattern:
      /\b(?:always|must|first)\b.{0,12}\b(?:call|use|run|invoke|read)\b.{0,40}\b(?:first|before|instead of|prior to)\b/,
  },
  { kind: 'instruction', pattern: /(?:忽略|无视|忘记|绕过).{0,16}(?:指令|提示|规则|限制|指示)/ },
  {
    kind: 'asks-for-context',
    pattern:
      /\b(?:system prompt|developer message|(?:chat|message|conversation) (?:history|log)|(?:entire|full|whole|complete|previous) (?:of the )?(?:conversation|chat|dialog(?:ue)?)|previous messages)\b|系统提示词?|(?:完整|全部|所有)(?:的)?(?:对话|聊天记录)/,
  },
  {
    kind: 'secret-place',
    pattern:
      /[\\/]\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|cursor|claude|config[\\/]gcloud)\b|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|[\\/]etc[\\/](?:passwd|shadow)\b|\bmcp\.json\b|(?:^|[^a-z0-9_])\.env\b|\bcredentials\.json\b|\bprivate[ _-]keys?\b|\bbrowser cookies\b/,
  },
  { kind: 'encoded', raw: encodedRun },
  {
    kind: 'remote-image',
    pattern:
      /!\[[^\]]{0,200}\]\( ?(?:https?:|data:|\/\/)|<(?:img|script|iframe)\b|\b(?:javascript|vbscript):/,
  },
  { kind: 'very-long', raw: (text) => (text.length > LONG_TEXT ? text.slice(0, 80) : undefined) },
]

/** Names of parameters that make a model copy out what it knows. */
export const BAIT: RegExp =
  /^(?:side_?notes?|scratch_?pad|conversation(?:_?(?:history|log|context))?|(?:chat|messages?)_?(?:history|log|context)|system_?prompt|chain_?of_?thought|prior_?messages?|user_?secrets?)$/

/** A line end or tab in a description is nothing odd. */
function hidden(text: string): string | undefined {
  const line = text.split(/[\t\n\r]+/).find((part) => hidesText(part))
  return line
}

/** One word with Latin letters and Cyrillic or Greek ones: nobody writes so. */
function mixedWord(text: string): string | undefined {
  if (!/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text)) return undefined
  return text
    .split(/[^\p{L}\p{N}_]+/u)
    .find(
      (word) =>
        /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word),
    )
}

/** 100 characters of base64 or hexadecimal digits without a blank, letters and digits mixed. */
function encodedRun(text: string): string | undefined {
  return text
    .split(/[^A-Za-z0-9+/=_-]+/)
    .find((run) => run.length >= 100 && /\d/.test(run) && /[A-Za-z]/.test(run) && isDense(run))
}

/** Paths and long names have separators every few letters. */
function isDense(run: string): boolean {
  return run.split(/[/_-]/).some((part) => part.length >= 60) || !/[/_-]/.test(run)
}
