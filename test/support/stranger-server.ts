/**
 * The server that clients nobody here wrote are let loose on, as a program: `bundleFile` makes one module of it.
 * Arguments: a file that gets every event of the wire as a line of JSON, then the revisions to serve; none means all.
 */
import { appendFileSync } from 'node:fs'
import { isRevision } from '../../src/protocol/revision.ts'
import { stdioServer } from '../../src/transport/node/stdio-server.ts'
import { welcomingServer } from './welcoming-server.ts'

const [wireFile = '', ...names] = process.argv.slice(2)
const server = welcomingServer(names.filter(isRevision), (event) =>
  appendFileSync(wireFile, `${JSON.stringify(event)}\n`),
)
await server.accept(stdioServer())
