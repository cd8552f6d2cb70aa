/** Answers of OpenAI's Responses and of Anthropic's Messages for tests, as those APIs write them: each event with its name. */

export type Members = Readonly<Record<string, unknown>>

/** An event stream whose events are named by their `type`. */
export function namedEvents(...all: readonly Members[]): string {
  return all
    .map((event) => {
      const { type } = event
      const name = typeof type === 'string' ? type : 'message'
      return `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`
    })
    .join('')
}

/** A response of the Responses API, whole. */
export function response(output: readonly unknown[], more: Members = {}): Members {
  const usage = {
    input_tokens: 90,
    input_tokens_details: { cached_tokens: 64 },
    output_tokens: 30,
    output_tokens_details: { reasoning_tokens: 20 },
    total_tokens: 120,
  }
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-x-2026',
    error: null,
    incomplete_details: null,
    output,
    usage,
    ...more,
  }
}

export const THOUGHT: Members = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [
    { type: 'summary_text', text: 'First.' },
    { type: 'summary_text', text: 'Second ☃.' },
  ],
  encrypted_content: 'gAAAA==',
}

export function saidItem(text: string, more: Members = {}): Members {
  const content = [{ type: 'output_text', text, annotations: [] }]
  return { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content, ...more }
}

export function callItem(id: string, text: string): Members {
  return {
    id: `fc_${id}`,
    type: 'function_call',
    status: 'completed',
    call_id: id,
    name: 'add',
    arguments: text,
  }
}

/** The events in which the API tells these items: each begins, comes in pieces of some characters, and is told whole. */
export function responseEvents(
  output: readonly Members[],
  last: Members = { type: 'response.completed', response: response(output) },
): readonly Members[] {
  const begun = { ...response([]), status: 'in_progress', usage: null }
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...output.flatMap((item, at) => itemEvents(item, at)),
    last,
  ]
}

function itemEvents(item: Members, at: number): readonly Members[] {
  const place = { output_index: at, item_id: item['id'] }
  const added = { ...item, status: 'in_progress', ...emptied(item) }
  return [
    { type: 'response.output_item.added', output_index: at, item: added },
    ...pieceEvents(item, place),
    { type: 'response.output_item.done', output_index: at, item },
  ]
}

function emptied(item: Members): Members {
  if (item['type'] === 'message') return { content: [] }
  if (item['type'] === 'function_call') return { arguments: '' }
  return { summary: [], encrypted_content: '' }
}

function pieceEvents(item: Members, place: Members): readonly Members[] {
  const cut = (type: string, text: unknown): readonly Members[] =>
    pieces(String(text)).map((delta) => ({ type, ...place, delta }))
  if (item['type'] === 'function_call')
    return [
      ...cut('response.function_call_arguments.delta', item['arguments']),
      { type: 'response.function_call_arguments.done', ...place, arguments: item['arguments'] },
    ]
  const name = item['type'] === 'reasoning' ? 'summary' : 'content'
  const parts: unknown = item[name]
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: Members, index): readonly Members[] => {
    const at = { ...place, [`${name}_index`]: index }
    if (name === 'summary')
      return [
        { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
        ...cut('response.reasoning_summary_text.delta', part['text']),
        { type: 'response.reasoning_summary_text.done', ...at, text: part['text'] },
        { type: 'response.reasoning_summary_part.done', ...at, part },
      ]
    return [
      { type: 'response.content_part.added', ...at, part: { type: part['type'] } },
      ...(part['type'] === 'refusal'
        ? cut('response.refusal.delta', part['refusal'])
        : cut('response.output_text.delta', part['text'])),
      { type: 'response.content_part.done', ...at, part },
    ]
  })
}

/** A text in pieces of three characters. */
function pieces(text: string): readonly string[] {
  const letters = Array.from(text)
  return Array.from({ length: Math.ceil(letters.length / 3) }, (_, at) =>
    letters.slice(at * 3, at * 3 + 3).join(''),
  )
}

const USAGE: Members = {
  input_tokens: 10,
  cache_creation_input_tokens: 200,
  cache_read_input_tokens: 1000,
  output_tokens: 40,
}

/** A message of the Messages API, whole. */
export function message(
  content: readonly Members[],
  stopReason: string,
  more: Members = {},
): Members {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: USAGE,
    ...more,
  }
}

/** The events in which that API tells a message. */
export function messageEvents(content: readonly Members[], stopReason: string): readonly Members[] {
  return [
    {
      type: 'message_start',
      message: {
        ...message([], stopReason),
        stop_reason: null,
        usage: { ...USAGE, output_tokens: 1 },
      },
    },
    { type: 'ping' },
    ...content.flatMap((block, at) => blockEvents(block, at)),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 40 },
    },
    { type: 'message_stop' },
  ]
}

/** A `tool_use` without `input` is one whose arguments are told in no piece but an empty one. */
function blockEvents(block: Members, index: number): readonly Members[] {
  const delta = (members: Members): Members => ({
    type: 'content_block_delta',
    index,
    delta: members,
  })
  const { type, text, thinking, signature, input } = block
  const begun: Record<string, unknown> = { ...block }
  const told: Members[] = []
  if (type === 'text') {
    begun['text'] = ''
    for (const piece of pieces(String(text))) told.push(delta({ type: 'text_delta', text: piece }))
  } else if (type === 'thinking') {
    begun['thinking'] = ''
    begun['signature'] = ''
    for (const piece of pieces(String(thinking)))
      told.push(delta({ type: 'thinking_delta', thinking: piece }))
    told.push(delta({ type: 'signature_delta', signature }))
  } else if (type === 'tool_use') {
    begun['input'] = {}
    told.push(delta({ type: 'input_json_delta', partial_json: '' }))
    const written = Object.keys(input ?? {}).length === 0 ? '' : JSON.stringify(input)
    for (const piece of pieces(written))
      told.push(delta({ type: 'input_json_delta', partial_json: piece }))
  }
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...told,
    { type: 'content_block_stop', index },
  ]
}
