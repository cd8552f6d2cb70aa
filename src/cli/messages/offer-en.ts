/** The words of `tools --for` and `types` in English. */

import type { OfferWords } from './offer-words.ts'

export const offerEn: OfferWords = {
  optionFor:
    'print the tools as a request to this provider has them; what was lost of them follows on stderr',
  optionContext:
    'with --for: the window of the model in tokens (default: DEEP_PILOT_CONTEXT, or what models.json and the program know)',
  optionStrict:
    'with --for: have the provider hold the model to the schemas, if all of them allow it',
  moreFor:
    '--for takes deepseek, openai, openai-chat, anthropic, openrouter, ollama, llamacpp, vllm, compatible, gemini or plain, which stands for any server that takes every schema; with a colon and the name of a model behind it, as for --model, what is known of that model counts. ' +
    "chat and run add a tool to read long results. Beyond 40 tools of servers, or a tenth of the model's window, they send three to find them by instead.",
  onlyWithFor: (option) =>
    `${option} says how tools are written for a model. Name that with --for.`,
  notWithFor: (option) =>
    `${option} shows schemas as servers have them, --for as models get them. Remove one of them.`,
  offered: (tools, form, tokens) =>
    `${tools} ${tools === 1 ? 'tool' : 'tools'} for ${form}, about ${tokens} tokens in each request.`,
  isStrict: 'The provider holds the model to the schemas.',
  leftOut: (alias, reason) => `${alias} is left out. ${reason}`,
  lost: (alias, { pointer, keyword, kind, message }) =>
    `${alias}${pointer === '' ? '' : ` at ${pointer}`}: ` +
    // Some sentences say it themselves.
    (keyword === '' || message.includes(`"${keyword}"`) ? '' : `${keyword} is ${kind}. `) +
    message,
  moreLost: (alias, count) => `${alias}: ${count} more like that; --json has all.`,
  moreTools: (count) =>
    `Something was lost of ${count} more ${count === 1 ? 'tool' : 'tools'}; --json has all.`,
  notStrict: (alias, reason) => `Not strict because of ${alias}. ${reason}`,
  deferred: 'They are so many that chat and run would give the model three tools to find them by.',
  ownNames:
    'These are the names that the server gives. In a configuration, that of the server stands before them.',
  types: 'print types for TypeScript of what the tools of a server take and give',
  typesMore:
    'Redirect it into a file that ends in .d.ts. "Tools" has the types by the name of the tool: Tools["echo"]["arguments"].',
  argumentServer: 'a server of the configuration',
  noServer:
    'Name a server of the configuration, or write its command behind "--", or give its address with --url.',
  held: (tool, { reason }) => `"${tool}" is left out, as it is held back: ${reason}`,
  remark: {
    cut: (tool) => `Of "${tool}" parts are "unknown": it is too large.`,
    'no-room': (tool) => `"${tool}" is left out: the tools before it are too large.`,
    'same-name': (tool) => `"${tool}" is left out: another tool has its name.`,
    'bad-name': (tool) => `"${tool}" is left out: its name holds half a character.`,
  },
}
