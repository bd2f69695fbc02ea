import { Socket } from 'node:net'
import process from 'node:process'

// Has a listening socket as a descriptor of its own, and sends it back, which gives whoever started it a further one. It
// never listens on it, so that it accepts no connection. See `shared-listener.ts` for the number of the descriptor.
const socket = new Socket({ fd: 4, readable: false, writable: false })
process.send?.('socket', Reflect.get(socket, '_handle'), undefined, () => process.disconnect?.())
