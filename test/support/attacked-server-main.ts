/** The same server on standard input and output. */
import { stdioServer } from '../../src/transport/node/stdio-server.ts'
import { attackedServer } from './attacked-server.ts'

await attackedServer().server.accept(stdioServer())
