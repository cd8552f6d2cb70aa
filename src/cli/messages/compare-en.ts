/** The English of `compare`. */

import type { CompareRow, CompareWords } from './compare-words.ts'

const ROWS: Readonly<Record<CompareRow, string>> = {
  definition: 'Where the definition is',
  change: 'Description edited while the host runs',
  process: 'Process that runs the body',
  language: 'The same call in Python',
  killed: 'kill -9 of that process, in a call',
  migration: 'Lines for a second host',
  hosts: 'Hosts on one running tool',
  latency: 'One call',
  wire: 'One call on the wire',
  tokens: 'Definition in each request',
}

export const compareEn: CompareWords = {
  command: 'measure one tool as a function, behind MCP, and as a framework tool',
  more: 'The same tool body is called three ways on the same scripted decision of a model: by function calling alone, over MCP in a process of its own, and as a tool object of LangChain or the AI SDK. The bytes are shown as they are, and each row of the table is measured in this run. Needs no key and no network.',
  optionTool: 'tool to compare: calculator or weather (default: calculator)',
  optionCalls: 'calls that the time is the median of, 1 to 10000 (default: 200)',
  badCalls: (value) => `--calls cannot be "${value}". Give a whole number from 1 to 10000.`,
  intro: (program) => `${program}: one tool, three ways, one decision. No key, no network.`,
  subject: (call, pid) => `The call: ${call}. The host: process ${pid}.`,
  scripted: 'What the model says is a script; everything else happens.',
  ways: {
    functionCalling: 'Function calling alone',
    mcp: 'MCP: the same tool behind a server',
    framework: 'Framework tool: the same tool as an object',
  },
  columns: { functionCalling: 'Function calling', mcp: 'MCP', framework: 'Framework tool' },
  steps: {
    rounds: 'calling the tool three ways',
    change: 'editing the tool',
    kill: 'killing what runs the tool',
    share: 'two hosts on one tool',
  },
  bytes: (to, direction, size) => `${direction === 'out' ? '→' : '←'} ${to}, ${size}`,
  ranHere: (call, text, pid) => `${call} = ${text} (process ${pid})`,
  langChain: 'What LangChain takes:',
  aiSdk: 'What the AI SDK takes:',
  sameBytes: 'Between host and model the same bytes as in 1/3.',
  measured: 'Measured in this run',
  chain: 'The call over MCP, link by link',
  outro: 'MCP carries, function calling decides, a framework wraps.',
  rows: (row, calls) => (row === 'latency' ? `${ROWS.latency}, median of ${calls}` : ROWS[row]),
  cells: {
    definition: (way, size) =>
      way === 'mcp'
        ? `at the server, told by tools/list (${size})`
        : way === 'functionCalling'
          ? `in the request (${size})`
          : `in an object of the program (${size} of schema)`,
    change: (seen, time) =>
      seen.seen
        ? `seen after ${time}, ${seen.messages} messages, nothing restarted`
        : 'not seen; the program must be restarted',
    process: (pid, isHost) => (isHost ? `${pid}, the host itself` : `${pid}, its own`),
    noLanguage: 'no: the body is part of the program',
    noPython: 'not measured: there is no Python here',
    python: (text, version, pid) =>
      `${text} (Python ${version}${pid === undefined ? '' : `, process ${pid}`})`,
    killed: (killed, time) =>
      killed.host === 'gone'
        ? `the host is gone (${killed.signal})`
        : `one call fails (${killed.code}); the host lives, the next call is answered after ${time}`,
    migration: ({ lines, code }) =>
      `${lines.length} ${code ? 'of code' : 'of configuration, none of code'}`,
    hosts: (count, pid) => (pid === undefined ? `${count}` : `${count} at once (process ${pid})`),
    tokens: (count) => `about ${count} tokens`,
  },
  link(link, { size, time }) {
    switch (link.step) {
      case 'listed':
        return `server → host: tools/list tells of ${link.tool} (${size})`
      case 'registered':
        return `registry: ${link.tool} is ${link.alias} for models`
      case 'offered':
        return `host → model: ${link.alias} is in tools[] (request of ${size})`
      case 'decided-by-model':
        return `model → host: ${link.modelCall} calls ${link.alias} ${link.argumentsText}`
      case 'permitted':
        return `gate: ${link.modelCall} is ${link.call}; ${link.verdict}, by the rule "${link.rule}"`
      case 'sent':
        return `host → server: ${link.call} is tools/call #${link.id} (${size})`
      case 'answered':
        return `server → host: #${link.id} after ${time} (${size}): ${link.text}`
      case 'told':
        return `host → model: ${link.modelCall} gave ${link.text}`
      case 'said':
        return `model: ${link.text}`
      default:
        return link satisfies never
    }
  },
}
