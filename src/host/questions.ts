/**
 * The questions of servers, as a host lets them through: each server is given its own answers, every question names who
 * asks, and what was not granted is not even declared. No question leads to a tool: what a model writes goes to the server
 * that asked, and nowhere else.
 */

import { refuse } from '../client/refuse.ts'
import type { AnswerContext, Answers } from '../client/options.ts'
import type {
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
} from '../protocol/types/elicitation.ts'
import type { Root } from '../protocol/types/roots.ts'
import { formConcerns, readVisit, warningsOf, type Concern } from './question-warnings.ts'
import { samplingFor, type Asker, type SamplingGrant, type SamplingOptions } from './sampling.ts'

/** A form for a person. */
export interface FormQuestion extends Asker {
  /** Peer text throughout. */
  readonly params: ElicitFormParams
  /** One sentence each, for the person; about fields that ask for secrets, among others. // ELIC-12 */
  readonly warnings: readonly string[]
  /** The same as words, to be told in another language. */
  readonly concerns: readonly Concern[]
}

/** A page for a person. Nothing was fetched of it. // ELIC-20 */
export interface VisitQuestion extends Asker {
  readonly params: ElicitUrlParams
  /** The whole address as it would be opened. */
  readonly url: string
  /** Its host alone, to be shown so that it stands out; punycode stays as it is. // ELIC-22 */
  readonly host: string
  readonly warnings: readonly string[]
  readonly concerns: readonly Concern[]
}

/** What a user lets servers ask. What is absent is declared to no server. */
export interface HostAnswers {
  /** The folders that a server is told of: exactly these, per server. // ROOT-06 */
  readonly roots?: (server: string) => readonly Root[] | Promise<readonly Root[]>
  /** Off where it is absent. */
  readonly sampling?: SamplingGrant
  readonly elicitation?: (question: FormQuestion) => Promise<ElicitResult>
  /** Asks whether to go, and opens the page after a yes; addresses that cannot be safe never get here. // ELIC-19 */
  readonly elicitationUrl?: (question: VisitQuestion) => Promise<ElicitResult>
}

/** The answers for one server; undefined when it may ask nothing. */
export function answersFor(
  server: string,
  granted: HostAnswers,
  options: SamplingOptions,
): Answers | undefined {
  const { roots, elicitation, elicitationUrl } = granted
  const sampling =
    granted.sampling?.servers.includes(server) === true ? granted.sampling : undefined
  const answers: Answers = {
    ...(roots !== undefined && { roots: async () => roots(server) }),
    ...(sampling !== undefined && {
      sampling: samplingFor(server, sampling, options),
      samplingTools: sampling.tools === true,
    }),
    ...(elicitation !== undefined && {
      elicitation: (params: ElicitFormParams, { signal }: AnswerContext) =>
        elicitation({ server, signal, params, ...concerned(formConcerns(params)) }),
    }),
    ...(elicitationUrl !== undefined && {
      elicitationUrl: (params: ElicitUrlParams, { signal }: AnswerContext) =>
        visit({ server, signal }, params, elicitationUrl),
    }),
  }
  return Object.keys(answers).length === 0 ? undefined : answers
}

function concerned(concerns: readonly Concern[]): Pick<FormQuestion, 'warnings' | 'concerns'> {
  return { warnings: warningsOf(concerns), concerns }
}

async function visit(
  asker: Asker,
  params: ElicitUrlParams,
  ask: (question: VisitQuestion) => Promise<ElicitResult>,
): Promise<ElicitResult> {
  const read = readVisit(params.url)
  if ('fault' in read) throw refuse(`The address cannot be opened: ${read.fault}`)
  return ask({ ...asker, params, ...read })
}
