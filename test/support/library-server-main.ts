/** The library on standard input and output. */
import { stdioServer } from '../../src/transport/node/stdio-server.ts'
import { libraryServer } from './library-server.ts'

await libraryServer().accept(stdioServer())
