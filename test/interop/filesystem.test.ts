/**
 * The client against the official filesystem server: the server that most people meet first, with files of every
 * kind in a folder of its own.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import { resultToText } from '../../src/tools/content.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { judgedWire } from '../support/judged-wire.ts'
import { failureOf } from '../support/odd-peer.ts'

const program = resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deep-pilot-文件-')))
const wire = judgedWire()

let client: Client
beforeAll(async () => {
  const transport = stdio({ command: process.execPath, args: [program, folder] })
  client = await connect(transport, { wire: wire.sink })
})
afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true, force: true })
  wire.report('the filesystem server')
})
afterEach(() => wire.check())

const call = (name: string, args: Record<string, string | boolean>): Promise<string> =>
  client.callTool(name, args).then(resultToText)

it('falls back to the handshake, and says nothing but the probe before it [LIFE-04]', () => {
  expect(client.server).toMatchObject({ era: 'legacy', info: { name: 'secure-filesystem-server' } })
  const sent = wire.messages.filter(({ direction }) => direction === 'out')
  expect(sent.slice(0, 3).map(({ message }) => message['method'])).toEqual([
    'server/discover',
    'initialize',
    'notifications/initialized',
  ])
})

it('lists its 14 tools, each with annotations and an output schema', async () => {
  const tools = await client.listTools()
  expect(tools).toHaveLength(14)
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([])
  expect(tools.find(({ name }) => name === 'read_text_file')).toMatchObject({
    annotations: { readOnlyHint: true },
    inputSchema: { required: ['path'] },
  })
})

it('reads a file with a Chinese name and characters of several bytes', async () => {
  const path = join(folder, '说明 ①.txt')
  writeFileSync(path, '你好,\n世界 🦉\n')
  expect(await call('read_text_file', { path })).toContain('你好,\n世界 🦉\n')
  expect(await call('list_directory', { path: folder })).toContain('[FILE] 说明 ①.txt')
})

it('gets a path outside the folder refused as a failed tool, not as an error', async () => {
  const result = await client.callTool('read_text_file', { path: '/etc/hostname' })
  expect(result.isError).toBe(true)
  expect(resultToText(result)).toContain('Access denied')
})

it('writes a file, and reads back what it wrote', async () => {
  const path = join(folder, '新.json')
  const content = '{"a": "行\\u2028尾"}\r\n\t\u0001'
  await call('write_file', { path, content })
  expect(readFileSync(path, 'utf8')).toBe(content)
  expect(await call('read_text_file', { path })).toBe(content)
})

it('reads a file of 5 MB in one answer, to the last character', async () => {
  const path = join(folder, 'big.txt')
  const line = `${'长'.repeat(1000)}"\\\n`
  const content = line.repeat(Math.ceil(5_000_000 / Buffer.byteLength(line)))
  writeFileSync(path, content)
  const result = await client.callTool('read_text_file', { path })
  expect(result.structuredContent).toEqual({ content })
  expect(result.content).toEqual([{ type: 'text', text: content }])
})

it('writes 5 MB in one call', async () => {
  const path = join(folder, 'written.txt')
  const content = '宽度 "和" \\ 高度\n'.repeat(200_000)
  await call('write_file', { path, content })
  expect(readFileSync(path, 'utf8') === content).toBe(true)
})

it('gets an image as an image, which is shown as a placeholder', async () => {
  const path = join(folder, 'dot.png')
  writeFileSync(path, Buffer.from('89504e470d0a1a0a', 'hex'))
  const result = await client.callTool('read_media_file', { path })
  expect(result.content).toMatchObject([{ type: 'image', mimeType: 'image/png' }])
  expect(resultToText(result)).toContain('[image image/png, 8 B]')
})

it('refuses arguments that do not fit before anything is sent', async () => {
  await client.listTools()
  const since = wire.messages.length
  const error = await failureOf(client.callTool('read_text_file', { path: 7 }))
  expect(error).toMatchObject({ code: 'DP_SCHEMA_ARGUMENTS' })
  expect(wire.messages.slice(since)).toEqual([])
})

it('gets the complaint of the server about arguments that were not checked here', async () => {
  const transport = stdio({ command: process.execPath, args: [program, folder] })
  await using unchecked = await connect(transport, { checkArguments: false, wire: wire.sink })
  const result = await unchecked.callTool('read_text_file', {})
  expect(result.isError).toBe(true)
  expect(resultToText(result)).toContain('-32602')
})
