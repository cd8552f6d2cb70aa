/** The words of `why` in English. */

import { OUTCOMES_EN } from './outcome-words.ts'
import type { WhyWords } from './why-words.ts'

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

export const whyEn: WhyWords = {
  command: 'show what led to a call of a tool and what came of it, byte for byte',
  more: 'Without CALL it lists the calls. It reads the capture of the last chat or run, or the one that --capture names.',
  argumentCall: 'the call, as t1c1, or the id that the model gave it',
  capture: 'read this capture',
  session: 'read the capture of this session instead of the last one',
  run: 'the call of this run, where a capture has several',
  full: 'leave nothing out of long texts',
  json: 'print the chain as JSON, with all texts whole',
  twoPlaces: 'Give --capture or --session, not both.',
  noCall: (call, calls, path) =>
    `There is no call "${call}" in ${path}.${calls.length === 0 ? '' : ` It has: ${calls.join(', ')}.`}`,
  noCalls: (path) =>
    `No calls with their ids are in ${path}. Those of chat and run, and calls of configured servers, have them.`,
  severalRuns: (count, run) =>
    `${count} runs have such a call; this is the one of run ${run}. Name another with --run.`,
  parts: {
    model: 'The model',
    mapping: 'The tool',
    decision: 'The decision',
    attempt: (number, server) => `On the wire, attempt ${number} (${server})`,
    told: 'What the model was shown',
  },
  where: (run, turn, time) =>
    [`run ${run}`, turn === '' ? '' : `turn ${turn}`, time]
      .filter((part) => part !== '')
      .join(' · '),
  noModel: 'No model was asked: the call was made by hand.',
  noReply: 'Its reply is not recorded.',
  thought: 'It thought:',
  said: 'It said:',
  wrote: (name, id) => `It called ${name}, as ${id}, with`,
  tokens: (input, output) => `${input} + ${output} tokens`,
  again: (seconds, why) => `asked again after ${seconds} s: ${why}`,
  mapped: (name, server, tool) => `${name} is the tool "${tool}" of the server "${server}".`,
  mappedRead: (name, server) => `${name} reads a resource of the server "${server}".`,
  mappedNative: (name) => `${name} is a tool of this program itself.`,
  mappedNone: (name) => `There is no tool ${name}.`,
  mappedThrough: (name, alias) => `Through ${name} it called ${alias}. `,
  noDecision: 'There was nothing to decide: the call did not get that far.',
  verdicts: { allow: 'Allowed', deny: 'Refused' },
  by: {
    policy: 'by the policy',
    person: 'by a person',
    grant: 'by an earlier yes',
    flag: 'by an option of the command',
    nobody: 'as nobody answered',
  },
  reasons: {
    secret: 'the arguments hold a secret of the configuration',
    'protected-file': 'an argument names a file that decides what the host may do',
  },
  rule: (rule) => `Rule: ${rule}`,
  because: (text) => `Its reason: ${text}`,
  hash: (start) => `Judged were arguments with the SHA-256 ${start}…`,
  sameSent: ' which is that of the arguments on the wire.',
  noFrames: 'Nothing was sent.',
  leftOut: (frames) =>
    frames === 1 ? 'One more frame is left out.' : `${frames} more frames are left out.`,
  error: 'error',
  shownAll: (bytes) => `All of it, ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}:`,
  shownPart: (shown, bytes, artifact) =>
    `${shown} of ${bytes} bytes${artifact === '' ? '' : `; all of it is artifact ${artifact}`}:`,
  toldOutcome: (outcome, amount) => `${sentence(OUTCOMES_EN[outcome])} ${amount}`,
  wholeAt: (path) => `All of it: ${path}`,
  notTold: 'Nothing is recorded.',
  outcomes: OUTCOMES_EN,
  cut: (characters) =>
    `… ${characters} more ${characters === 1 ? 'character' : 'characters'} (--full)`,
}
