import process from 'node:process'

// Keeps a listening socket open while the service does not listen, so that the system goes on queueing connections. It
// accepts none, gives the socket back on request, and ends with the service.
let held: unknown
process.on('message', (_, handle) => {
  if (handle === undefined) report('given back', held)
  else {
    held = handle
    report('held')
  }
})
report('ready')

function report(message: string, handle?: unknown): void {
  Reflect.apply(process.send ?? Object, process, [message, handle])
}
