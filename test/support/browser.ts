/**
 * A real browser for tests: Chromium, where the machine has one. It opens a page and is ended as soon as the page has reported.
 */
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const LONGEST_REPORT = 1_000_000

/** Path of a Chromium, or nothing. `CHROMIUM` names one that is not on PATH. */
export function findBrowser(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  const named = CHROMIUM === undefined || CHROMIUM === '' ? [] : [CHROMIUM]
  const found = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...named, ...found].find((path) => isProgram(path))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** One script as a page may load it. What needs Node or a package fails the build: a page has neither. */
export async function scriptForPage(entry: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: process.cwd(),
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: 'chrome120',
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

export interface PageServer extends AsyncDisposable {
  /** Scheme, host and port: what a server must allow. */
  readonly origin: string
  /** Opens the page with a query in the browser, and gives what its script sends to `/report`. */
  visit(browser: string, query: Readonly<Record<string, string>>): Promise<unknown>
}

/** Serves a page with one script on a port of its own. */
export async function servePage(script: string): Promise<PageServer> {
  let reported: (text: string) => void = () => undefined
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      let text = ''
      request.setEncoding('utf8')
      request.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, LONGEST_REPORT)
      })
      request.on('end', () => {
        response.end()
        reported(text)
      })
      return
    }
    const isScript = request.url === '/page.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    async visit(browser, query) {
      const report = new Promise<string>((resolve) => (reported = resolve))
      const end = openBrowser(browser, `${origin}/?${new URLSearchParams(query).toString()}`)
      try {
        return JSON.parse(await Promise.race([report, end.failed])) as unknown
      } finally {
        await end.close()
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface OpenBrowser {
  /** Rejects when the browser ends by itself. */
  readonly failed: Promise<never>
  close(): Promise<void>
}

function openBrowser(browser: string, address: string): OpenBrowser {
  const profile = mkdtempSync(join(tmpdir(), 'deep-pilot-page-'))
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update']
  const child = spawn(browser, [...flags, ...quiet, `--user-data-dir=${profile}`, address], {
    stdio: 'ignore',
    detached: true,
    // What it leaves lies in the profile, which goes.
    env: { ...process.env, TMPDIR: profile },
  })
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  let closing = false
  const failed = gone.then((): never => {
    throw new Error(
      closing ? 'The page was closed.' : 'The browser ended before the page had reported.',
    )
  })
  failed.catch(() => undefined)
  return {
    failed,
    async close() {
      closing = true
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
      await gone
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
