/** The table's server as a process of its own. */
import { stdioServer } from '../../../src/transport/node/stdio-server.ts'
import { tableServer } from './table-server.ts'

await tableServer().accept(stdioServer())
