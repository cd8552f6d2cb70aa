/**
 * Our server on its standard streams, for clients that nobody here wrote: `bundleFile` makes one module of it.
 * Arguments: a file that gets every event of the wire as a line of JSON, then the revisions to serve; none means all.
 */
import { appendFileSync } from 'node:fs'
import { isRevision } from '../../../../src/protocol/revision.ts'
import { stdioServer } from '../../../../src/transport/node/stdio-server.ts'
import { tableServer } from '../../../e2e/table/table-server.ts'

const [wireFile = '', ...names] = process.argv.slice(2)
const revisions = names.filter(isRevision)

const server = tableServer({
  ...(revisions.length === 0 ? {} : { revisions }),
  wire: (event) => appendFileSync(wireFile, `${JSON.stringify(event)}\n`),
})
await server.accept(stdioServer())
